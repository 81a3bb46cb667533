import { rfc3339 } from "@capstan/contract";
import { changed, filled, filledUnset, type Part, partOf, specOf, withSpec } from "../../values/object-parts.ts";
import { canonicalAmounts, canonicalResources } from "../../values/quantity.ts";
import { claimCauses, claimUpdateCauses } from "../validation/claim-object.ts";
import { persistentVolumeCauses, volumeUpdateCauses } from "../validation/persistent-volume.ts";
import { withBothSources } from "../validation/claim-sources.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

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
    validate: persistentVolumeCauses,
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "" ? [...persistentVolumeCauses(object), ...volumeUpdateCauses(object, old)] : [],
  },
  subresources: [statusSubresource],
};
