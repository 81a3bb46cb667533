import { expect, it } from "vitest";
import { expectCode, expectStatus } from "./expectations.ts";
import { widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

const notChecked = "FieldValueInvalid <nil>";

/** Specs that are refused, and the causes: those that must be among them. */
const refused: readonly (readonly [string, object, readonly string[]])[] = [
  [
    "H02 wrong types",
    { replicas: "x", size: 1, tags: {}, blob: [] },
    [
      "FieldValueTypeInvalid spec.replicas",
      "FieldValueTypeInvalid spec.size",
      "FieldValueTypeInvalid spec.tags",
      "FieldValueTypeInvalid spec.blob",
      notChecked,
    ],
  ],
  ["H03 enum", { size: "XXL" }, ["FieldValueNotSupported spec.size", notChecked]],
  ["H03 pattern", { host: "A_b" }, ["FieldValueInvalid spec.host"]],
  ["H03 minLength", { host: "" }, ["FieldValueInvalid spec.host"]],
  ["H03 maxLength", { host: "a".repeat(64) }, ["FieldValueTooLong spec.host", notChecked]],
  ["H04 minimum", { replicas: -1 }, ["FieldValueInvalid spec.replicas"]],
  ["H04 maximum", { replicas: 101 }, ["FieldValueInvalid spec.replicas"]],
  ["H04 a fraction", { replicas: 1.5 }, ["FieldValueTypeInvalid spec.replicas", notChecked]],
  ["H04 multipleOf", { num: 0.3 }, ["FieldValueInvalid spec.num"]],
  ["H05 date-time", { when: "yesterday" }, ["FieldValueTypeInvalid spec.when", notChecked]],
  ["H05 duration", { dur: "soon" }, ["FieldValueTypeInvalid spec.dur", notChecked]],
  ["H06 int-or-string", { ios: true }, ["FieldValueTypeInvalid spec.ios", notChecked]],
  ["H06 pattern of an int-or-string", { q: "abc" }, ["FieldValueInvalid spec.q"]],
  ["H07 a set with a duplicate", { tags: ["a", "a"] }, ["FieldValueDuplicate spec.tags[1]"]],
  ["H07 duplicate keys", { ports: [{ port: 1 }, { port: 2 }, { port: 1 }] }, ["FieldValueDuplicate spec.ports[2]"]],
  [
    "H07 duplicate keys through a default",
    { ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] },
    ["FieldValueDuplicate spec.ports[1]"],
  ],
  ["H08 a port without key", { ports: [{ name: "x" }] }, ["FieldValueRequired spec.ports[0].port"]],
  [
    "H09 too many tags",
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    ["FieldValueTooMany spec.tags", notChecked],
  ],
  ["H10 two of oneOf", { one: { x: "1", y: "2" } }, ["FieldValueInvalid <nil>"]],
  ["H11 null in a list", { ports: [null] }, ["FieldValueTypeInvalid spec.ports[0]"]],
  [
    "H12 an embedded resource without kind",
    { emb: { metadata: { name: "x" } } },
    ["FieldValueRequired spec.emb.apiVersion", "FieldValueRequired spec.emb.kind"],
  ],
  ["H13 a known member of preserved content", { blob: { known: "x" } }, ["FieldValueTypeInvalid spec.blob.known"]],
];

/** Objects of a custom kind. */
export const customResources: Section = (suite) => {
  const create = (name: string, spec: object, query: Readonly<Record<string, string>> = {}) =>
    suite().api.post(widgets(suite().namespace), widget(name, spec), { query });

  it("H01 needs spec", async () => {
    const { api, namespace } = suite();
    const { spec: _, ...bare } = widget("h01");
    expectStatus(await api.post(widgets(namespace), bare), 422, { causes: ["FieldValueRequired spec", notChecked] });
  });

  it.each(refused)("%s", async (_, spec, causes) => {
    expectStatus(await create("h-refused", spec), 422, { reason: "Invalid", someCauses: causes });
  });

  it("H06 and H11 take what the schema allows", async () => {
    expectCode(await create("h06a", { ios: "5%", q: 5 }), 201);
    const { body } = await create("h11", { nul: null, nonnul: null, gmap: { a: null }, host: null });
    expect(body.spec).toMatchObject({ nul: null, nonnul: "d2", gmap: {} });
    expect(body.spec).not.toHaveProperty("host");
  });

  it("H12, H13 and H19 prune what is unknown and keep what is preserved", async () => {
    const emb = { apiVersion: "v1", kind: "X", metadata: { name: "x", foo: "bar" }, other: 1 };
    const spec = { emb, blob: { known: 1, other: {} }, alist: [{ k: "a", z: 1 }] };
    const { body, warnings } = await create("h12", spec);
    expect(body.spec).toMatchObject({
      emb: { metadata: { name: "x" }, other: 1 },
      blob: { known: 1, other: {} },
      alist: [{ k: "a", v: "dv" }],
    });
    expect(body.spec.emb.metadata).not.toHaveProperty("foo");
    expect(warnings).toEqual(
      expect.arrayContaining(['unknown field "spec.alist[0].z"', 'unknown field "spec.emb.metadata.foo"']),
    );
  });

  it("H14 and H15 say what a rule says", async () => {
    expectStatus(await create("h14", { min: 5, max: 1 }), 422, {
      causes: ["FieldValueInvalid spec"],
      message: /min must not exceed max/,
    });
    expectStatus(await create("h15", { secretRef: "x-1" }), 422, {
      causes: ["FieldValueForbidden spec.secretRef"],
      message: /secretRef x-1 must start with s-/,
    });
  });

  it("H50 says what a rule says of the object itself, of values and of rules that cannot be evaluated", async () => {
    const told = { text: "b", whole: 1, part: 1.5, flag: true, list: [1] };
    const answer = await create("h50", { told });
    expectStatus(answer, 422, { reason: "Invalid" });
    const causes: readonly Record<"reason" | "field" | "message", string>[] = answer.body.details.causes;
    expect(causes.map(({ field, message }) => `${field}: ${message}`).toSorted()).toEqual(
      [
        "<nil>: Invalid value: no name",
        "<nil>: Required value: no name",
        "<nil>: Duplicate value",
        "spec: Invalid value: no name",
        "spec.told: Invalid value: there",
        "spec.told.whole: Duplicate value",
        "spec.told.whole: Invalid value: there",
        "spec.told.whole: Invalid value: 1: not 3",
        'spec.told.text: Invalid value: "b": not a',
        `spec.told.text: Invalid value: "b": failed rule: self == 'a'`,
        'spec.told.text: Duplicate value: "b"',
        'spec.told.text: Invalid value: "string": division by zero evaluating rule: not two',
        'spec.told.text: Invalid value: "string": division by zero evaluating rule: 1 / (self.size() - 1) == 1',
        "spec.told.part: Invalid value: 1.5: not 3.0",
        "spec.told.flag: Invalid value: true: set",
        "spec.told.list: Invalid value: not empty",
      ].toSorted(),
    );
  });

  it("H16 does not run rules on an object that is too far off", async () => {
    expectStatus(await create("h16", { min: 5, max: 1, size: "XXL" }), 422, {
      causes: ["FieldValueNotSupported spec.size", notChecked],
    });
  });

  it("H17 compares with the old value only where there is one", async () => {
    const { api, namespace } = suite();
    const path = `${widgets(namespace)}/h17`;
    await create("h17", { immut: "a" });
    expectStatus(await api.mergePatch(path, { spec: { immut: "b" } }), 422, {
      causes: ["FieldValueInvalid spec.immut"],
    });
    expectCode(await api.mergePatch(path, { spec: { immut: null } }), 200);
    expectCode(await api.mergePatch(path, { spec: { immut: "b" } }), 200);
  });

  it("H18 refuses wrong metadata", async () => {
    const { api, namespace } = suite();
    for (const labels of [{ a: 1 }, "x"]) {
      expectStatus(await api.post(widgets(namespace), widget({ name: "h18", labels })), 400, { reason: "BadRequest" });
    }
  });

  it("H48 warns of a deprecated version", async () => {
    const { api, namespace } = suite();
    const { warnings } = await api.get(widgets(namespace, "v1beta1"));
    expect(warnings).toEqual(["conf.capstan.test/v1beta1 Widget is deprecated; use v1"]);
  });
};
