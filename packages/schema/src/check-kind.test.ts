import { expect, it } from "vitest";
import { checkKind } from "./check-kind.ts";
import { int32, kind, list, map, object, optional, string } from "./index.ts";
import type { Kind, KindFacts } from "./index.ts";

const names = { group: "example.test", version: "v1", kind: "Thing", plural: "things", description: "A thing." };
const name = string({ description: "Name." });
const spec = object({ name });
const thing = (facts: Partial<KindFacts>) => kind({ ...names, ...facts, spec });

it("has nothing to say about a sound kind", () => {
  expect(checkKind(thing({}))).toEqual([]);
});

it.each<[what: string, kind: Kind, problem: string]>([
  ["no stored version", thing({ storage: false }), "Thing: exactly one version must be stored, not 0"],
  [
    "two stored versions",
    thing({ versions: [thing({ version: "v1beta1" })] }),
    "Thing: exactly one version must be stored, not 2",
  ],
  ["a version twice", thing({ versions: [thing({ storage: false })] }), "Thing: a version is there twice"],
  [
    "names that differ",
    thing({ versions: [thing({ version: "v1beta1", storage: false, plural: "thingies" })] }),
    "Thing: plural differs in v1beta1",
  ],
  ["a bad version", thing({ version: "1" }), "Thing 1: version must look like v1, v1beta1 or v1alpha1, not 1"],
  [
    "a column without dot",
    thing({ columns: [{ name: "A", path: "spec" }] }),
    "Thing v1: column A: path must start with a dot",
  ],
  [
    "a scale path to nowhere",
    thing({ scale: { specReplicas: ".spec.name", statusReplicas: ".status.replicas" } }),
    "Thing v1: scale: there is no .status.replicas",
  ],
  [
    "a selectable object",
    thing({ selectableFields: [".spec"] }),
    "Thing v1: selectable field .spec must be a string, an integer or a boolean",
  ],
  [
    "status without status",
    thing({ statusSubresource: true }),
    "Thing v1: there is a status subresource but no status",
  ],
  [
    "a field without description",
    kind({ ...names, spec: object({ name: { type: "string" } }) }),
    "Thing v1: schema.spec.name: has no description",
  ],
  [
    "items without description",
    kind({ ...names, spec: object({ names: list({ type: "string" }, { description: "Names." }) }) }),
    "Thing v1: schema.spec.names[]: has no description",
  ],
  [
    "map values without description",
    kind({ ...names, spec: object({ names: map({ type: "string" }, { description: "Names." }) }) }),
    "Thing v1: schema.spec.names{}: has no description",
  ],
  [
    "a rule over a list without maximum",
    kind({
      ...names,
      spec: object({ names: list(name, { description: "Names.", rules: [{ rule: "self.all(x, x != '')" }] }) }),
    }),
    "Thing v1: schema.spec.names: a rule iterates over it, so it needs a maximum",
  ],
  [
    "an optional key",
    kind({
      ...names,
      spec: object({
        ports: list(object({ port: optional(int32({ description: "Port." })) }, { description: "One." }), {
          description: "Ports.",
          keys: ["port"],
        }),
      }),
    }),
    "Thing v1: schema.properties[spec].properties[ports].items.properties[port].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
  ],
])("finds %s", (_what, of, problem) => {
  expect(checkKind(of)).toContain(problem);
});
