import { group } from "./objects.ts";

const string = { type: "string" } as const;
const integer = { type: "integer" } as const;

const specProperties = {
  replicas: { type: "integer", format: "int32", default: 1, minimum: 0, maximum: 100 },
  size: { type: "string", enum: ["S", "M", "L"], default: "M" },
  host: { type: "string", minLength: 1, maxLength: 63, pattern: "^[a-z0-9.-]+$" },
  min: integer,
  max: integer,
  secretRef: { type: "string", maxLength: 100 },
  immut: {
    type: "string",
    maxLength: 50,
    "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "immutable" }],
  },
  tags: { type: "array", items: { type: "string", maxLength: 50 }, maxItems: 20, "x-kubernetes-list-type": "set" },
  ports: {
    type: "array",
    maxItems: 50,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
    items: {
      type: "object",
      required: ["port"],
      properties: { port: integer, protocol: { type: "string", default: "TCP" }, name: string },
    },
  },
  alist: {
    type: "array",
    "x-kubernetes-list-type": "atomic",
    items: { type: "object", properties: { k: string, v: { type: "string", default: "dv" } } },
  },
  gmap: { type: "object", additionalProperties: string },
  amap: { type: "object", additionalProperties: string, "x-kubernetes-map-type": "atomic" },
  blob: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: integer } },
  ios: { "x-kubernetes-int-or-string": true },
  q: {
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
  nested: { type: "object", default: {}, properties: { a: { type: "string", default: "na" }, b: integer } },
  told: {
    type: "object",
    properties: {
      text: {
        type: "string",
        maxLength: 10,
        "x-kubernetes-validations": [
          { rule: "self == 'a'", message: "not a" },
          { rule: "self == 'a'" },
          { rule: "self == 'a'", reason: "FieldValueDuplicate" },
          { rule: "1 / (self.size() - 1) == 1", message: "not two" },
          { rule: "1 / (self.size() - 1) == 1" },
        ],
      },
      whole: { type: "integer", "x-kubernetes-validations": [{ rule: "self == 3", message: "not 3" }] },
      part: { type: "number", "x-kubernetes-validations": [{ rule: "self == 3.0", message: "not 3.0" }] },
      flag: { type: "boolean", "x-kubernetes-validations": [{ rule: "!self", message: "set" }] },
      list: {
        type: "array",
        maxItems: 5,
        items: integer,
        "x-kubernetes-validations": [{ rule: "self.size() == 0", message: "not empty" }],
      },
    },
    "x-kubernetes-validations": [
      { rule: "!has(self.whole)", message: "there" },
      { rule: "!has(self.whole)", message: "there", reason: "FieldValueDuplicate", fieldPath: ".whole" },
      { rule: "!has(self.whole)", message: "there", fieldPath: ".whole" },
    ],
  },
  one: {
    type: "object",
    properties: { x: string, y: string },
    oneOf: [{ required: ["x"] }, { required: ["y"] }],
  },
} as const;

const isNamed = "self.metadata.name != 'h50'";

const widgetSchema = {
  type: "object",
  required: ["spec"],
  "x-kubernetes-validations": [
    { rule: isNamed, message: "no name" },
    { rule: isNamed, message: "no name", reason: "FieldValueRequired" },
    { rule: isNamed, message: "no name", reason: "FieldValueDuplicate" },
    { rule: isNamed, message: "no name", fieldPath: ".spec" },
  ],
  properties: {
    spec: {
      type: "object",
      properties: specProperties,
      "x-kubernetes-validations": [
        { rule: "!has(self.min) || !has(self.max) || self.min <= self.max", message: "min must not exceed max" },
        {
          rule: "!has(self.secretRef) || self.secretRef.startsWith('s-')",
          messageExpression: "'secretRef ' + self.secretRef + ' must start with s-'",
          reason: "FieldValueForbidden",
          fieldPath: ".secretRef",
        },
      ],
    },
    status: {
      type: "object",
      properties: {
        replicas: integer,
        selector: string,
        phase: string,
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: {
            type: "object",
            required: ["type", "status"],
            properties: { type: string, status: string, reason: string, message: string },
          },
        },
      },
    },
  },
} as const;

/** Test CRD W: namespaced, with status and scale, three versions. */
export const widgetCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: {
      plural: "widgets",
      kind: "Widget",
      singular: "widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["confall"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: widgetSchema },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
        selectableFields: [{ jsonPath: ".spec.size" }, { jsonPath: ".spec.host" }],
        additionalPrinterColumns: [
          { name: "Size", type: "string", jsonPath: ".spec.size" },
          { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: "Wide", type: "string", jsonPath: ".spec.host", priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: "conf.capstan.test/v1beta1 Widget is deprecated; use v1",
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
      {
        name: "v1alpha1",
        served: false,
        storage: false,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
} as const;

/** Test CRD G: cluster-scoped, no subresources, no columns. */
export const gadgetCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { plural: "gadgets", kind: "Gadget", singular: "gadget", listKind: "GadgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { a: string, list: { type: "array", items: string } } },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
} as const;
