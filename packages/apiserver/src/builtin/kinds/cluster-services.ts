import type { KubeObject } from "@capstan/schema";
import { jsonEqual } from "../../patch/json-value.ts";
import type { SubresourceDefinition } from "../../registry/types.ts";
import type { KindBehaviour } from "../kind-behaviour.ts";
import { forbidden } from "./causes.ts";
import { filled, specOf, withSpec } from "./object-parts.ts";

/** A status that only its own endpoint writes. */
export const statusSubresource: SubresourceDefinition = {
  name: "status",
  verbs: ["get", "patch", "update"],
  behaviour: { type: "status" },
};

/** For kinds that are stored and described but of which nothing else is known. */
export const withStatus: KindBehaviour = { subresources: [statusSubresource], strategy: { unconditionalUpdate: true } };
export const withoutGeneration: KindBehaviour = { strategy: { generation: false, unconditionalUpdate: true } };

export const claims: KindBehaviour = {
  applyDefaults: (object) => withSpec(object, filled(specOf(object), { volumeMode: "Filesystem" })),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: { phase: "Pending" } }),
  },
  subresources: [statusSubresource],
};

export const volumes: KindBehaviour = {
  applyDefaults: (object) =>
    withSpec(object, filled(specOf(object), { volumeMode: "Filesystem", persistentVolumeReclaimPolicy: "Retain" })),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: { phase: "Pending" } }),
  },
  subresources: [statusSubresource],
};

export const storageClasses: KindBehaviour = {
  applyDefaults: (object) => filled(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }) as KubeObject,
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validateUpdate: (object, old) =>
      ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"]
        .filter((field) => !jsonEqual(object[field], old[field]))
        .map((field) => forbidden(field, "updates to this field are forbidden.")),
  },
};

export const priorityClasses: KindBehaviour = {
  applyDefaults: (object) => filled(object, { value: 0, preemptionPolicy: "PreemptLowerPriority" }) as KubeObject,
  strategy: {
    unconditionalUpdate: true,
    validateUpdate: (object, old) =>
      ["value", "preemptionPolicy"]
        .filter((field) => object[field] !== old[field])
        .map((field) => forbidden(field, "may not be changed in an update.")),
  },
};
