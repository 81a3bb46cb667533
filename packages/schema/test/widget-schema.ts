import type { StructuralSchema } from "../src/index.ts";

const text: StructuralSchema = { type: "string" };
const whole: StructuralSchema = { type: "integer" };

/** A kind that uses every feature of structural schemas. */
export const widget: StructuralSchema = {
  type: "object",
  required: ["spec"],
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: "object" },
    spec: {
      type: "object",
      required: ["replicas"],
      "x-kubernetes-validations": [
        { rule: "!has(self.min) || !has(self.max) || self.min <= self.max", message: "min must not exceed max" },
      ],
      properties: {
        replicas: { type: "integer", format: "int32", default: 1, minimum: 0, maximum: 100 },
        size: { type: "string", enum: ["S", "M", "L"], default: "M" },
        host: { type: "string", minLength: 1, maxLength: 63, pattern: "^[a-z0-9.-]+$" },
        posix: { type: "string", pattern: "^[[:alnum:]]+$" },
        min: whole,
        max: whole,
        immut: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
        tags: { type: "array", "x-kubernetes-list-type": "set", maxItems: 20, items: text },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: whole,
              protocol: { type: "string", default: "TCP" },
              name: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
            },
          },
        },
        alist: {
          type: "array",
          "x-kubernetes-list-type": "atomic",
          items: { type: "object", properties: { k: text, v: { type: "string", default: "dv" } } },
        },
        gmap: { type: "object", additionalProperties: text },
        omap: {
          type: "object",
          additionalProperties: { type: "object", properties: { a: { ...text, default: "x" } } },
        },
        blob: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: whole } },
        ios: { "x-kubernetes-int-or-string": true },
        quantity: {
          "x-kubernetes-int-or-string": true,
          anyOf: [{ type: "integer" }, { type: "string" }],
          pattern: "^[0-9]+(Mi)?$",
        },
        emb: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
        nul: { type: "string", nullable: true, default: "d" },
        nonnul: { type: "string", default: "d2" },
        when: { type: "string", format: "date-time" },
        dur: { type: "string", format: "duration" },
        num: { type: "number", multipleOf: 0.5 },
        nested: {
          type: "object",
          default: {},
          properties: { a: { type: "string", default: "na" }, b: whole },
        },
        one: {
          type: "object",
          properties: { x: whole, y: whole },
          oneOf: [{ required: ["x"] }, { required: ["y"] }],
        },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
};

/** A valid Widget with these members in its spec. */
export const widgetWith = (spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: "conf.example.test/v1",
  kind: "Widget",
  metadata: { name: "w" },
  spec: { replicas: 1, ...spec },
});
