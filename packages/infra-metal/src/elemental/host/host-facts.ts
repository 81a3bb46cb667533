import { Label } from "@capstan/contract";
import type { Condition, MergePatch } from "@capstan/contract/wire";
import { conditionOf } from "@capstan/contract/wire";
import type { ClaimMark } from "@capstan/kit/engine";
import { nameAsLabel } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import type { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";
import { HostAnnotation, HostLabel } from "../api/names.ts";

const isLabelled = ({ metadata }: KubeObject, label: string): boolean => metadata.labels?.[label] === "true";

export const isInstalled = (host: KubeObject): boolean => isLabelled(host, HostLabel.installed);
export const isBootstrapped = (host: KubeObject): boolean => isLabelled(host, HostLabel.bootstrapped);
export const needsReset = (host: KubeObject): boolean => isLabelled(host, HostLabel.needsReset);
export const isReset = (host: KubeObject): boolean => isLabelled(host, HostLabel.reset);
/** An administrator says that the host will never be reset. */
export const isGivenUp = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[HostAnnotation.forceRelease] === "true";

/** Returns whether the host was given anything of a cluster, or is someone's. */
export const wasUsed = (host: ElementalHost): boolean =>
  host.spec?.machineRef !== undefined ||
  host.spec?.bootstrapSecret !== undefined ||
  host.spec?.components !== undefined ||
  isBootstrapped(host);

/** A condition that the host's agent reports. */
export const reported = (host: KubeObject, type: string): Condition | undefined => conditionOf(host, type, "v1beta1");

/** Hosts that may be used: installed, no one's, and not on their way to be reset. */
export const mayBeUsed = (host: ElementalHost): boolean =>
  isInstalled(host) && !needsReset(host) && host.metadata.labels?.[HostLabel.machineName] === undefined;

/** Who uses a host stands in its spec; the labels are for people and upstream's programs. */
export const hostMark: ClaimMark = {
  of: (object) => {
    const { machineRef } = (object as ElementalHost).spec ?? {};
    const { namespace = object.metadata.namespace ?? "", name, uid } = machineRef ?? {};
    if (name === undefined) return undefined;
    return { kind: ElementalMachine.kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
  },
  set: ({ name, namespace, uid }) => ({
    metadata: { labels: { [HostLabel.elementalMachineName]: nameAsLabel(name) } },
    spec: {
      machineRef: {
        apiVersion: apiVersionOf(ElementalMachine),
        kind: ElementalMachine.kind,
        namespace,
        name,
        ...(uid === undefined ? {} : { uid }),
      },
    },
  }),
  clear: (): MergePatch => ({
    metadata: {
      labels: { [HostLabel.elementalMachineName]: null, [HostLabel.machineName]: null, [Label.clusterName]: null },
    },
    spec: { machineRef: null, bootstrapSecret: null, components: null, osVersionManagement: null },
  }),
};
