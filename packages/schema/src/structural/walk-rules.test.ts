import { describe, expect, it } from "vitest";
import { widget, widgetWith } from "../../test/widget-schema.ts";
import { ruleFieldPath, ruleNodes } from "./schema-rules.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { walkRules } from "./walk-rules.ts";
import type { RuleSite } from "./walk-rules.ts";

const sites = (schema: StructuralSchema, value: unknown, old?: unknown): RuleSite[] => {
  const visited: RuleSite[] = [];
  walkRules(schema, value, old, (site) => visited.push(site));
  return visited;
};

describe("walkRules", () => {
  it("visits every value with rules on create, without an old value", () => {
    const visited = sites(widget, widgetWith({ immut: "a", ports: [{ port: 1, name: "x" }, { port: 2 }] }));
    expect(visited.map(({ path, self, correlated }) => [path, self, correlated])).toEqual([
      ["spec", expect.anything(), false],
      ["spec.immut", "a", false],
      ["spec.ports[0].name", "x", false],
    ]);
  });

  it("finds the old value of keyed items wherever they moved", () => {
    const visited = sites(
      widget,
      widgetWith({
        ports: [
          { port: 2, protocol: "TCP", name: "b" },
          { port: 1, protocol: "TCP", name: "changed" },
        ],
      }),
      widgetWith({
        ports: [
          { port: 1, protocol: "TCP", name: "a" },
          { port: 2, protocol: "TCP", name: "b" },
        ],
      }),
    );
    expect(visited.slice(1).map(({ path, oldSelf, unchanged }) => [path, oldSelf, unchanged])).toEqual([
      ["spec.ports[0].name", "b", true],
      ["spec.ports[1].name", "a", false],
    ]);
  });

  it("has no old value for a part that was not there", () => {
    const visited = sites(widget, widgetWith({ immut: "a" }), widgetWith({}));
    expect(visited[1]).toMatchObject({ path: "spec.immut", correlated: false, unchanged: false });
    expect(visited[1]).not.toHaveProperty("oldSelf");
  });

  it.each(["set", "atomic", undefined] as const)("cannot tell the items of a list of type %s apart", (type) => {
    const schema: StructuralSchema = {
      type: "array",
      items: { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] },
      ...(type !== undefined && { "x-kubernetes-list-type": type }),
    };
    expect(sites(schema, ["a"], ["a"]).map(({ correlated }) => correlated)).toEqual([false]);
  });

  it("follows the keys of maps and names them in brackets", () => {
    const schema: StructuralSchema = {
      type: "object",
      additionalProperties: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    };
    expect(sites(schema, { "a.b": "new" }, { "a.b": "old" })).toMatchObject([{ path: "[a.b]", oldSelf: "old" }]);
  });

  it("marks whole objects, and only those", () => {
    const rule = { "x-kubernetes-validations": [{ rule: "true" }] };
    const schema: StructuralSchema = {
      type: "object",
      ...rule,
      properties: {
        plain: { type: "object", ...rule },
        emb: { type: "object", "x-kubernetes-embedded-resource": true, ...rule },
      },
    };
    expect(sites(schema, { plain: {}, emb: {} }).map(({ resource }) => resource)).toEqual([true, false, true]);
  });
});

describe("ruleNodes", () => {
  it("tells where old values can be told apart", () => {
    const rule = { "x-kubernetes-validations": [{ rule: "true" }] };
    const schema: StructuralSchema = {
      type: "object",
      properties: {
        keyed: {
          type: "array",
          "x-kubernetes-list-type": "map",
          items: {
            type: "object",
            properties: { all: { type: "array", items: { type: "string", ...rule } } },
            ...rule,
          },
        },
        free: { type: "object", additionalProperties: { type: "string", ...rule } },
      },
    };
    expect(ruleNodes(schema, "s").map(({ path, correlatable }) => [path, correlatable])).toEqual([
      ["s.properties[keyed].items", true],
      ["s.properties[keyed].items.properties[all].items", false],
      ["s.properties[free].additionalProperties", true],
    ]);
  });
});

it.each([
  [".spec.host", "spec.host"],
  [".spec.gmap['a.b']", "spec.gmap[a.b]"],
  [".spec.nope", undefined],
  [".spec.ports[0]", undefined],
  ["spec", undefined],
  ["", undefined],
])("ruleFieldPath of %s is %s", (fieldPath, expected) => {
  expect(ruleFieldPath(widget, fieldPath)).toBe(expected);
});
