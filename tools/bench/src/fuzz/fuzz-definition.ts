const text = { type: "string" };
const rule = { rule: "!has(self.min) || !has(self.max) || self.min <= self.max" };

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      "x-kubernetes-validations": [rule],
      properties: {
        replicas: { type: "integer", format: "int32", minimum: 0, default: 1 },
        min: { type: "integer", format: "int64" },
        max: { type: "integer", format: "int64" },
        size: { type: "string", enum: ["S", "M", "L"], default: "M" },
        host: { type: "string", pattern: "^[a-z0-9.-]+$", maxLength: 63 },
        fixed: { type: "string", maxLength: 50, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
        tags: { type: "array", items: text, "x-kubernetes-list-type": "set", maxItems: 20 },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
          items: { type: "object", required: ["port"], properties: { port: { type: "integer" }, name: text } },
        },
        any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        texts: { type: "object", additionalProperties: text },
        either: { "x-kubernetes-int-or-string": true },
        when: { type: "string", format: "date-time" },
        number: { type: "number", multipleOf: 0.5 },
        one: { type: "object", properties: { x: text, y: text }, oneOf: [{ required: ["x"] }, { required: ["y"] }] },
        whole: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: text, phase: text },
    },
  },
};

const subresources = {
  status: {},
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
};

/** A kind with something of everything that definitions may have. */
export const fuzzDefinition = {
  metadata: { name: "things.fuzz.test" },
  spec: {
    group: "fuzz.test",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing", shortNames: ["tg"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources,
        selectableFields: [{ jsonPath: ".spec.size" }],
        additionalPrinterColumns: [
          { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
          { name: "Any", type: "string", jsonPath: ".spec.any" },
          { name: "Phase", type: "string", jsonPath: ".status.phase" },
        ],
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
