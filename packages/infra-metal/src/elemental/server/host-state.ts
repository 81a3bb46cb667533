import { isBeingDeleted } from "@capstan/kube-values";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { HostLabel } from "../api/names.ts";

/** State of a host as its agent receives it. */
export interface HostState {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** There is something to bootstrap with. */
  readonly bootstrapReady: boolean;
  readonly bootstrapped: boolean;
  readonly installed: boolean;
  readonly needsReset: boolean;
  /** `pending` or `done`; empty when nothing is to be done in place. */
  readonly inPlaceUpgrade: string;
  readonly osVersionManagement?: unknown;
  /** The bundle that the host is to have. */
  readonly components?: { readonly digest: string; readonly delivery: "served" | "pull" };
}

export const hostState = (host: ElementalHost): HostState => {
  const { annotations = {}, labels = {}, name = "" } = host.metadata;
  const { bootstrapSecret, components, osVersionManagement } = host.spec ?? {};
  return {
    name,
    annotations,
    labels,
    bootstrapReady: bootstrapSecret?.name !== undefined,
    bootstrapped: labels[HostLabel.bootstrapped] === "true",
    installed: labels[HostLabel.installed] === "true",
    needsReset: labels[HostLabel.needsReset] === "true" || isBeingDeleted(host),
    inPlaceUpgrade: labels[HostLabel.inPlaceUpdate] ?? "",
    ...(osVersionManagement === undefined ? {} : { osVersionManagement }),
    ...(components === undefined ? {} : { components: { digest: components.digest, delivery: components.delivery } }),
  };
};
