/** Where objects of the definition are. */
export const things = "/apis/hostile.test/v1/namespaces/default/things";

const text = { type: "string" };
const items = { type: "object", required: ["name"], properties: { name: text, value: text } };

/** A definition whose kind has every sort of list and map. */
export const hostileDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.hostile.test" },
  spec: {
    group: "hostile.test",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  texts: { type: "object", additionalProperties: text },
                  plain: { type: "array", items: text },
                  set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
                  keyed: {
                    type: "array",
                    items,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                  },
                  ruled: {
                    type: "array",
                    maxItems: 100_000,
                    items: { type: "integer" },
                    "x-kubernetes-validations": [{ rule: "self.all(a, a >= 0)" }],
                  },
                  compared: {
                    type: "array",
                    maxItems: 400,
                    items: {
                      type: "object",
                      properties: { name: { ...text, maxLength: 20 }, size: { type: "integer" } },
                    },
                    "x-kubernetes-validations": [
                      { rule: "self.all(a, self.all(b, a == b || a.name != b.name || a.size == b.size))" },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
