import { type KubeObject, sameJson } from "@capstan/schema";
import { isSet, type Part, partOf, specOf } from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { builtinTypes } from "../types/builtin-types.ts";
import { nodeSelectorCauses } from "./affinity.ts";
import { type Causes, forbidden, immutable, invalid, notSupported, oneOf, required } from "./causes.ts";
import { modesCauses } from "./claim.ts";
import { dnsSubdomain } from "./names.ts";
import { hostPathCauses } from "./volume.ts";

const sources = builtinTypes.find("core", "PersistentVolumeSource")?.fields.map(({ name }) => name) ?? [];

/** Which Nodes reach a volume; for one that lies on a Node that has to be said. */
const placeCauses = ({ nodeAffinity, local }: Part): Causes => {
  const { required: selector } = partOf(nodeAffinity);
  if (!isSet(nodeAffinity)) {
    return isSet(local) ? [required("spec.nodeAffinity", "Local volume requires node affinity")] : [];
  }
  return isSet(selector)
    ? nodeSelectorCauses(selector, "spec.nodeAffinity.required")
    : [required("spec.nodeAffinity.required", "must specify required node constraints")];
};

export const persistentVolumeCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const capacity = partOf(spec["capacity"]);
  const [source, ...more] = sources.filter((name) => isSet(spec[name]));
  const { storage } = capacity;
  return [
    ...modesCauses(spec["accessModes"], "spec.accessModes"),
    ...(Object.keys(capacity).length === 0 ? [required("spec.capacity")] : []),
    ...(storage === undefined || Object.keys(capacity).length > 1
      ? [notSupported("spec.capacity", Object.keys(capacity).join(), ["storage"])]
      : (millisOf(storage) ?? 1n) > 0n
        ? []
        : [invalid("spec.capacity[storage]", storage, "must be greater than zero")]),
    ...(source === undefined ? [required("spec", "must specify a volume type")] : []),
    ...more.map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type")),
    ...(source === "hostPath" ? hostPathCauses(spec["hostPath"], "spec.hostPath") : []),
    ...(partOf(spec["hostPath"])["path"] === "/" && spec["persistentVolumeReclaimPolicy"] === "Recycle"
      ? [forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'Recycle' for a hostPath mount of '/'")]
      : []),
    ...placeCauses(spec),
    ...oneOf("spec.persistentVolumeReclaimPolicy", spec["persistentVolumeReclaimPolicy"], [
      "Delete",
      "Recycle",
      "Retain",
    ]),
    ...oneOf("spec.volumeMode", spec["volumeMode"], ["Block", "Filesystem"]),
    ...dnsSubdomain("spec.storageClassName", spec["storageClassName"]),
  ];
};

/** Where a volume is, and whether it is a file system, stays as it was. */
export const volumeUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  const [spec, before] = [specOf(object), specOf(old)];
  const isMoved = sources.some((name) => !sameJson(spec[name] ?? null, before[name] ?? null));
  return [
    ...(isMoved
      ? [forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")]
      : []),
    ...(spec["volumeMode"] === before["volumeMode"] ? [] : [immutable("volumeMode", spec["volumeMode"])]),
  ];
};
