import type { StructuralSchema } from "./structural-schema.ts";

const text: StructuralSchema = { type: "string" };
const flag: StructuralSchema = { type: "boolean" };
const whole: StructuralSchema = { type: "integer", format: "int64" };
const time: StructuralSchema = { type: "string", format: "date-time" };
const texts: StructuralSchema = { type: "object", additionalProperties: text };

/** `metadata` of every object (meta/v1 ObjectMeta), against which it is pruned. */
export const objectMetaSchema: StructuralSchema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: whole,
    creationTimestamp: { ...time, nullable: true },
    deletionTimestamp: { ...time, nullable: true },
    deletionGracePeriodSeconds: { ...whole, nullable: true },
    labels: texts,
    annotations: texts,
    finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      items: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        required: ["apiVersion", "kind", "name", "uid"],
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: flag,
          blockOwnerDeletion: flag,
        },
      },
    },
    managedFields: {
      type: "array",
      "x-kubernetes-list-type": "atomic",
      items: {
        type: "object",
        properties: {
          manager: text,
          operation: text,
          apiVersion: text,
          time,
          fieldsType: text,
          fieldsV1: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          subresource: text,
        },
      },
    },
  },
};

/** Members that every object and embedded resource has besides those of its schema. */
export const resourceMembers: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
