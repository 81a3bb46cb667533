import { sameJson } from "@capstan/schema";
import { type Causes, invalid, required } from "./causes.ts";
import { dnsSubdomain } from "./names.ts";
import { isSet, type Part, partOf, textOf, without } from "../../values/object-parts.ts";

const kinds = ["PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot"];

/** Reports whether `dataSource` supports the kind of a source; sources of all other kinds are ignored. */
const isUnderstood = (source: unknown): boolean => {
  const { apiGroup, kind } = partOf(source);
  const group = textOf(apiGroup);
  return kinds.includes(group === "" ? textOf(kind) : `${group}/${textOf(kind)}`);
};

/**
 * The spec of a claim in which `dataSource` and `dataSourceRef` say the same when one of them is given. Sources in other namespaces are
 * passed over, as in a Kubernetes without the feature gate. `before`: the spec it replaces.
 */
export const withBothSources = (spec: Part, before: Part = {}): Part => {
  const isKept = isSet(before["dataSource"]) || isUnderstood(spec["dataSource"]);
  const plain = isKept ? spec : without(spec, "dataSource");
  const isNear = textOf(partOf(plain["dataSourceRef"])["namespace"]) === "";
  const near = isNear ? plain : without(plain, "dataSourceRef");
  const { dataSource, dataSourceRef } = near;
  if (isSet(dataSource) && !isSet(dataSourceRef)) return { ...near, dataSourceRef: dataSource };
  if (isSet(dataSource) || !isSet(dataSourceRef)) return near;
  return { ...near, dataSource: without(partOf(dataSourceRef), "namespace") };
};

const sourceCauses = (field: string, value: unknown): Causes => {
  if (!isSet(value)) return [];
  const { apiGroup, kind, name } = partOf(value);
  return [
    ...(textOf(name) === "" ? [required(`${field}.name`)] : []),
    ...(textOf(kind) === "" ? [required(`${field}.kind`)] : []),
    ...(textOf(apiGroup) === "" && kind !== "PersistentVolumeClaim"
      ? [invalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : dnsSubdomain(`${field}.apiGroup`, apiGroup)),
  ];
};

/** Causes of where a claim's data come from; `field` is that of its spec. */
export const claimSourceCauses = ({ dataSource, dataSourceRef }: Part, field: string): Causes => {
  const same = (source: unknown): Part => ({ ...partOf(source), namespace: undefined });
  const isOne = !isSet(dataSource) || !isSet(dataSourceRef) || sameJson(same(dataSource), same(dataSourceRef));
  return [
    ...sourceCauses(`${field}.dataSource`, dataSource),
    ...sourceCauses(`${field}.dataSourceRef`, dataSourceRef),
    ...(isOne ? [] : [invalid(field, "dataSource", "must match dataSourceRef")]),
  ];
};
