import type { MergePatch } from "@capstan/contract/wire";
import { conditionsPatch, effectivePatch, mergePatches } from "@capstan/contract/wire";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { elementalFinalizer, HostAnnotation, HostLabel } from "../api/names.ts";
import type { HostReport, NewHost } from "./host-report.ts";
import type { Place } from "./request.ts";

/** The object of a host that registers. With its finalizer from the beginning, so that none goes without being reset. */
export const newHostObject = (
  { annotations, labels, name, publicKey }: NewHost,
  { namespace, registration }: Pick<Place, "namespace" | "registration">,
): KubeObject => ({
  apiVersion: apiVersionOf(ElementalHost),
  kind: ElementalHost.kind,
  metadata: {
    namespace,
    name,
    labels,
    annotations: {
      ...annotations,
      [HostAnnotation.registrationName]: registration,
      [HostAnnotation.registrationNamespace]: namespace,
    },
    finalizers: [elementalFinalizer],
  },
  spec: { pubKey: publicKey },
});

/** True sets a label, false takes it away, nothing leaves it. */
const flagLabel = (label: string, value: boolean | undefined): Readonly<Record<string, string | null>> =>
  value === undefined ? {} : { [label]: value ? "true" : null };

/** Returns the patch that a report makes to the metadata of its host; `undefined`: no change. */
export const metadataChanges = (host: ElementalHost, report: HostReport): MergePatch | undefined => {
  const { inPlaceUpdate } = report;
  return effectivePatch(host, {
    metadata: {
      annotations: report.annotations,
      labels: {
        ...report.labels,
        ...flagLabel(HostLabel.installed, report.installed),
        ...flagLabel(HostLabel.bootstrapped, report.bootstrapped),
        ...flagLabel(HostLabel.reset, report.reset),
        ...(inPlaceUpdate === undefined
          ? {}
          : { [HostLabel.inPlaceUpdate]: inPlaceUpdate === "" ? null : inPlaceUpdate }),
      },
    },
  });
};

/** Returns the patch that a report makes to the status of its host; `undefined`: no change. */
export const statusChanges = (
  host: ElementalHost,
  { components, condition, phase }: HostReport,
  now: number,
): MergePatch | undefined =>
  effectivePatch(
    host,
    mergePatches(
      phase === undefined ? undefined : { status: { phase } },
      components === undefined ? undefined : { status: { components: { installed: components } } },
      condition === undefined
        ? undefined
        : statusOnly(conditionsPatch(host, [condition], { now, contract: "v1beta1" })),
    ),
  );

/** Hosts have conditions of the older form alone. */
const statusOnly = ({ status }: MergePatch): MergePatch => {
  const { conditions } = (status ?? {}) as { readonly conditions?: unknown };
  return conditions === undefined ? {} : { status: { conditions } };
};
