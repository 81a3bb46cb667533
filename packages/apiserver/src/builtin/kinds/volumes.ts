import { deepEqual } from "@capstan/schema/structural";
import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { builtinTypes } from "../types/builtin-types.ts";
import { nodeSelectorCauses } from "../validation/affinity.ts";
import { type Causes, forbidden, immutable, invalid, notSupported, oneOf, required } from "../validation/causes.ts";
import { withBothSources } from "./claim-sources.ts";
import { claimSpecCauses, modesCauses, requestedOf } from "../validation/claim.ts";
import { statusSubresource } from "./cluster-services.ts";
import { dnsSubdomain } from "../validation/names.ts";
import {
  changed,
  filled,
  filledUnset,
  isSet,
  type Part,
  partOf,
  specOf,
  statusOf,
  textOf,
  withSpec,
} from "../../values/object-parts.ts";
import { canonicalAmounts, canonicalResources, millisOf } from "../../values/quantity.ts";
import { hostPathCauses } from "../validation/volume.ts";

const claimCauses = (object: KubeObject): Causes => claimSpecCauses(specOf(object), "spec");

/** A claim is what it was, but whoever binds it names its volume, and a bound one may grow. */
const claimUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  // One that was stored before its sources were made the same has not been changed by whoever writes now.
  const [spec, before] = [specOf(object), withBothSources(specOf(old), specOf(old))];
  const isBound = statusOf(old)["phase"] === "Bound";
  const open = [
    ...(isBound ? ["resources", "volumeAttributesClassName"] : []),
    ...(before["storageClassName"] === undefined ? ["storageClassName"] : []),
    ...(textOf(before["volumeName"]) === "" ? ["volumeName"] : []),
  ];
  const fixed = (part: Part): Part => Object.fromEntries(Object.entries(part).filter(([name]) => !open.includes(name)));
  if (!deepEqual(fixed(spec), fixed(before))) {
    const rule =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    return [forbidden("spec", rule)];
  }
  return (millisOf(requestedOf(spec)) ?? 0n) < (millisOf(requestedOf(before)) ?? 0n)
    ? [forbidden("spec.resources.requests.storage", "field can not be less than previous value")]
    : [];
};

/** A claim's spec with its defaults. */
export const claimSpecDefaults = (spec: unknown): Part =>
  changed(filled(partOf(spec), { volumeMode: "Filesystem" }), "resources", canonicalResources);

export const claims: KindBehaviour = {
  applyDefaults: (object) => ({ ...object, spec: claimSpecDefaults(object["spec"]) }),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, spec: withBothSources(specOf(object)), status: { phase: "Pending" } }),
    prepareForUpdate: (object, old) => ({ ...object, spec: withBothSources(specOf(object), specOf(old)) }),
    validate: claimCauses,
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "" ? [...claimCauses(object), ...claimUpdateCauses(object, old)] : [],
  },
  subresources: [statusSubresource],
};

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

const volumeCauses = (object: KubeObject): Causes => {
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
const volumeUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  const [spec, before] = [specOf(object), specOf(old)];
  const isMoved = sources.some((name) => !deepEqual(spec[name] ?? null, before[name] ?? null));
  return [
    ...(isMoved
      ? [forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")]
      : []),
    ...(spec["volumeMode"] === before["volumeMode"] ? [] : [immutable("volumeMode", spec["volumeMode"])]),
  ];
};

export const volumes: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = filled(filledUnset(specOf(object), { persistentVolumeReclaimPolicy: "Retain" }), {
      volumeMode: "Filesystem",
    });
    const typed = changed(spec, "hostPath", (source) => filled(partOf(source), { type: "" }));
    return withSpec(object, changed(typed, "capacity", canonicalAmounts));
  },
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object, { now }) => ({
      ...object,
      status: { phase: "Pending", lastPhaseTransitionTime: rfc3339(now) },
    }),
    validate: volumeCauses,
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "" ? [...volumeCauses(object), ...volumeUpdateCauses(object, old)] : [],
  },
  subresources: [statusSubresource],
};
