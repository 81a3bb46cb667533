import { type KubeObject, sameJson } from "@capstan/schema";
import { filled, listOf, specOf } from "../../values/object-parts.ts";
import { immutable } from "../validation/causes.ts";
import { storageClassCauses } from "../validation/storage-class.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

export const volumeAttachments: KindBehaviour = {
  subresources: [statusSubresource],
  strategy: { generation: false, prepareForCreate: (object) => ({ ...object, status: { attached: false } }) },
};

const driverDefaults = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  requiresRepublish: false,
  seLinuxMount: false,
};

/** CSIDrivers: all of the spec may be left out. */
export const storageDrivers: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = filled(specOf(object), driverDefaults);
    const modes = listOf(spec["volumeLifecycleModes"]);
    return { ...object, spec: modes.length === 0 ? { ...spec, volumeLifecycleModes: ["Persistent"] } : spec };
  },
  strategy: { generation: false },
};

export const storageClasses: KindBehaviour = {
  applyDefaults: (object) => filled(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }) as KubeObject,
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate: storageClassCauses,
    validateUpdate: (object, old) =>
      ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"]
        .filter((field) => !sameJson(object[field], old[field]))
        .map((field) => immutable(field, object[field])),
  },
};
