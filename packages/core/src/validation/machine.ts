import { forbidden, required, taintCauses, versionCauses } from "@capstan/kit/admission";
import { Label } from "@capstan/contract";
import type { Cause } from "@capstan/schema";
import type { Machine } from "../api.ts";

/** Validates the spec of a Machine; `path` is where it is in the object. */
export const machineSpecCauses = (
  spec: Machine["spec"],
  path: string,
  options: { readonly isControlPlane: boolean },
): readonly Cause[] => [
  ...versionCauses(spec.version, `${path}.version`),
  ...taintCauses(spec.taints, `${path}.taints`, options),
];

interface OfCluster {
  readonly spec: { readonly clusterName: string };
}

/** Nothing moves from one Cluster to another. */
export const clusterCauses = ({ spec }: OfCluster, old: OfCluster | undefined): readonly Cause[] =>
  old === undefined || old.spec.clusterName === spec.clusterName
    ? []
    : [forbidden("spec.clusterName", "field is immutable")];

/** A Machine needs someone to make its bootstrap data, or the data. */
export const bootstrapCauses = ({ bootstrap }: Machine["spec"], path: string): readonly Cause[] =>
  bootstrap.configRef === undefined && bootstrap.dataSecretName === undefined
    ? [required(`${path}.bootstrap`, "expected either configRef or dataSecretName to be set")]
    : [];

/** Validates a Machine. Those of a pool get their bootstrap data from the pool. */
export const validateMachine = (machine: Machine, old: Machine | undefined): readonly Cause[] => {
  const { labels = {} } = machine.metadata;
  return [
    ...machineSpecCauses(machine.spec, "spec", { isControlPlane: labels[Label.controlPlane] !== undefined }),
    ...(labels[Label.poolName] === undefined ? bootstrapCauses(machine.spec, "spec") : []),
    ...clusterCauses(machine, old),
  ];
};
