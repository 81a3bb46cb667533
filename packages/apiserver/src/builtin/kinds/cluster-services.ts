import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import type { SubresourceDefinition } from "../../model/types.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { type Causes, forbidden, immutable, oneOf } from "../validation/causes.ts";
import { filled, listOf, specOf } from "../../values/object-parts.ts";

/** A status that only its own endpoint writes. */
export const statusSubresource: SubresourceDefinition = {
  name: "status",
  verbs: ["get", "patch", "update"],
  behaviour: { type: "status" },
};

/** For kinds that are stored and described but of which nothing else is known. */
export const withStatus: KindBehaviour = { subresources: [statusSubresource], strategy: { unconditionalUpdate: true } };
export const withoutGeneration: KindBehaviour = { strategy: { generation: false, unconditionalUpdate: true } };
export const versioned: KindBehaviour = { strategy: { generation: false } };

export const volumeAttachments: KindBehaviour = {
  subresources: [statusSubresource],
  strategy: { generation: false, prepareForCreate: (object) => ({ ...object, status: { attached: false } }) },
};

const storageClassCauses = (object: KubeObject): Causes => [
  ...oneOf("reclaimPolicy", object["reclaimPolicy"], ["", "Delete", "Retain"]),
  ...oneOf("volumeBindingMode", object["volumeBindingMode"], ["Immediate", "WaitForFirstConsumer"]),
];

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
        .filter((field) => !deepEqual(object[field], old[field]))
        .map((field) => immutable(field, object[field])),
  },
};

/** Those of Kubernetes itself lie above. */
const highestPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

const priorityCauses = (object: KubeObject): Causes => {
  const { name = "" } = object.metadata;
  const value = Number(object["value"]);
  const isKnown = systemPriorities[name] === value;
  return [
    ...(name.startsWith("system-") && !isKnown
      ? [forbidden("metadata.name", "priority class names with 'system-' prefix are reserved for system use only")]
      : []),
    ...(value > highestPriority && !isKnown
      ? [forbidden("value", `maximum allowed value of a user defined priority is ${highestPriority}`)]
      : []),
    ...oneOf("preemptionPolicy", object["preemptionPolicy"], ["Never", "PreemptLowerPriority"]),
  ];
};

export const priorityClasses: KindBehaviour = {
  applyDefaults: (object) => filled(object, { value: 0, preemptionPolicy: "PreemptLowerPriority" }) as KubeObject,
  strategy: {
    unconditionalUpdate: true,
    validate: priorityCauses,
    validateUpdate: (object, old) =>
      ["value", "preemptionPolicy"]
        .filter((field) => object[field] !== old[field])
        .map((field) => forbidden(field, "may not be changed in an update.")),
  },
};
