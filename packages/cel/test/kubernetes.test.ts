import { describe, expect, it } from "vitest";
import { Budget, celTypeOf, compile, dyn, int, optional, string } from "../src/index.ts";
import type { CelType, Evaluated, Program, SchemaNode } from "../src/index.ts";

const names: SchemaNode = { type: "array", items: { type: "object", properties: { name: { type: "string" } } } };
const spec: SchemaNode = {
  type: "object",
  properties: {
    min: { type: "integer" },
    max: { type: "integer" },
    ratio: { type: "number" },
    host: { type: "string" },
    note: { type: "string", nullable: true },
    list: names,
    set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        properties: { port: { type: "integer" }, protocol: { type: "string" }, name: { type: "string" } },
      },
    },
    map: { type: "object", additionalProperties: { type: "string" } },
    limit: { "x-kubernetes-int-or-string": true },
    blob: { type: "object", "x-kubernetes-preserve-unknown-fields": true } as SchemaNode,
    any: { "x-kubernetes-preserve-unknown-fields": true } as SchemaNode,
    when: { type: "string", format: "date-time" },
    day: { type: "string", format: "date" },
    timeout: { type: "string", format: "duration" },
    data: { type: "string", format: "byte" },
    namespace: { type: "string" },
    "x-y.z/a__b": { type: "string" },
    "0bad": { type: "string" },
    template: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    } as SchemaNode,
  },
};

const program = (source: string, type: CelType = celTypeOf(spec)!): Program => {
  const compiled = compile(source, { declarations: { self: type, oldSelf: type } });
  if (!compiled.ok) throw new Error(compiled.errors[0]!.message);
  return compiled.program;
};

const evaluate = (source: string, self: unknown, oldSelf?: unknown, type?: CelType): Evaluated =>
  program(source, type).evaluate({ self, oldSelf });

const errorsOf = (source: string, type: CelType = celTypeOf(spec)!): readonly string[] => {
  const compiled = compile(source, { declarations: { self: type, oldSelf: type } });
  return compiled.ok ? [] : compiled.errors.map(({ message }) => message);
};

describe("rules met in providers' definitions", () => {
  it.each<[string, unknown, boolean]>([
    ["!has(self.min) || !has(self.max) || self.min <= self.max", { min: 1, max: 2 }, true],
    ["!has(self.min) || !has(self.max) || self.min <= self.max", { min: 3, max: 2 }, false],
    ["!has(self.min) || !has(self.max) || self.min <= self.max", { min: 3 }, true],
    ["self.list.all(x, self.list.exists_one(y, x.name == y.name))", { list: [{ name: "a" }, { name: "b" }] }, true],
    ["self.list.all(x, self.list.exists_one(y, x.name == y.name))", { list: [{ name: "a" }, { name: "a" }] }, false],
    ["(has(self.min) ? 1 : 0) + (has(self.max) ? 1 : 0) + (has(self.host) ? 1 : 0) == 1", { max: 1 }, true],
    ["[has(self.min),has(self.max)].filter(x,x==true).size() <= 1", { min: 1, max: 1 }, false],
    ["!(self.host in ['Ready','Available'])", { host: "Ready" }, false],
    [
      "self.host == '' || (isURL(self.host) && url(self.host).getScheme() in ['http','https'])",
      { host: "https://a/b" },
      true,
    ],
    [
      "self.host == '' || (isURL(self.host) && url(self.host).getScheme() in ['http','https'])",
      { host: "ftp://a/b" },
      false,
    ],
    ["self.host.matches('^[[:alnum:]]([-_.[:alnum:]]+[[:alnum:]])*$')", { host: "a-b_c.9" }, true],
    ["self.host.matches('^[[:alnum:]]([-_.[:alnum:]]+[[:alnum:]])*$')", { host: "-a" }, false],
    ["size(self.host) <= 3", { host: "a😀b" }, true],
    ["self.host.startsWith('s-')", { host: "x-1" }, false],
  ])("%s on %j", (source, self, wanted) => {
    expect(evaluate(source, self)).toMatchObject({ ok: true, value: wanted });
  });

  it("compares objects of different times", () => {
    const same = { host: "a", list: [{ name: "x" }] };
    expect(evaluate("self == oldSelf", same, structuredClone(same))).toMatchObject({ value: true });
    expect(evaluate("self == oldSelf", same, { ...same, host: "b" })).toMatchObject({ value: false });
  });
});

describe("types from schemas", () => {
  it.each<[string, unknown]>([
    [
      "self.when.getFullYear() == 2024 && self.when < timestamp('2025-01-01T00:00:00Z')",
      { when: "2024-05-01T10:00:00+02:00" },
    ],
    ["self.day == timestamp('2024-05-01T00:00:00Z')", { day: "2024-05-01" }],
    ["self.timeout == duration('90s')", { timeout: "1m30s" }],
    ["string(self.data) == 'hi'", { data: "aGk=" }],
    ["type(self.limit) == int ? self.limit < 5 : self.limit.endsWith('%')", { limit: 4 }],
    ["type(self.limit) == int ? self.limit < 5 : self.limit.endsWith('%')", { limit: "50%" }],
    ["self.namespace == self.__namespace__ && self == self", { namespace: "a" }],
    ["self.ratio > 1", { ratio: 1.5 }],
    ["self.ratio > 1", { ratio: 2 }],
    [
      "self.__namespace__ == 'n' && self.x__dash__y__dot__z__slash__a__underscores__b == 'v'",
      { namespace: "n", "x-y.z/a__b": "v" },
    ],
    ["self.map['a'] == 'b' && 'a' in self.map && self.map.all(k, k.startsWith('a'))", { map: { a: "b" } }],
    ["self.map.?c.orValue('none') == 'none'", { map: {} }],
    [
      "self.template.metadata.name == 'm' && self.template.kind == 'K'",
      { template: { kind: "K", metadata: { name: "m" } } },
    ],
    ["has(self.note) && dyn(self.note) == null", { note: null }],
    ["self.host.contains('b') ? self.min == 9007199254740993 : false", { host: "abc", min: 9007199254740993n }],
  ])("%s", (source, self) => {
    expect(evaluate(source, self)).toMatchObject({ ok: true, value: true });
  });

  it("gives an error for a null where a method needs a string", () => {
    expect(evaluate("self.note.startsWith('a')", { note: null })).toMatchObject({
      ok: false,
      error: { message: "no such overload" },
    });
  });

  it("gives an error for data that does not fit the schema", () => {
    expect(evaluate("self.host.startsWith('a')", { host: 1 })).toMatchObject({ ok: false });
  });

  it.each([
    ["self.nope", "undefined field 'nope'"],
    ["self.blob.x", "undefined field 'x'"],
    ["self.any", "undefined field 'any'"],
    ["self.min == 'a'", "found no matching overload for '_==_' applied to '(int, string)'"],
    ["self.min +", "Syntax error"],
    ["nope == 1", "undeclared reference to 'nope'"],
    ["self.host.matches('([')", "missing closing ]"],
    ["self.host.matches('a(?=b)')", "invalid"],
    ["[1, 'a'].size() == 2", "expected type 'int' but found 'string'"],
    ["self.host.foo()", "undeclared reference to 'foo'"],
    ["namespace == 'a'", "reserved identifier: namespace"],
    ["self.when < timestamp('2024')", "cannot convert '2024' to timestamp"],
    ["self.min.all(x, true)", "cannot be range of a comprehension"],
  ])("refuses %s", (source, message) => {
    expect(errorsOf(source).join()).toContain(message);
  });

  it("names the place of a mistake", () => {
    const compiled = compile("self.min == 1 &&\n  self.nope", { declarations: { self: celTypeOf(spec)! } });
    expect(compiled).toMatchObject({ ok: false, errors: [{ line: 2, column: 7 }] });
  });

  it("does not see content without a type", () => {
    expect(celTypeOf({ "x-kubernetes-preserve-unknown-fields": true } as SchemaNode)).toBeUndefined();
    expect(celTypeOf({ type: "array", items: {} })).toBeUndefined();
  });
});

const port = (number: number, name: string) => ({ port: number, protocol: "TCP", name });

describe("lists with identity", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["self.set == oldSelf.set", ["a", "b"], ["b", "a"], true],
    ["self.set == oldSelf.set", ["a", "b"], ["a", "c"], false],
    ["self.set + oldSelf.set == ['a', 'b', 'c']", ["a", "b"], ["b", "c"], true],
    ["(self.set + oldSelf.set).size() == 3", ["a", "b"], ["b", "c"], true],
  ])("%s for sets %j and %j", (source, self, oldSelf, wanted) => {
    expect(evaluate(source, { set: self }, { set: oldSelf })).toMatchObject({ value: wanted });
  });

  it("compares map lists by key and merges them by key", () => {
    const self = { ports: [port(1, "a"), port(2, "b")] };
    const oldSelf = { ports: [port(2, "b"), port(1, "a")] };
    expect(evaluate("self.ports == oldSelf.ports", self, oldSelf)).toMatchObject({ value: true });
    const other = { ports: [port(3, "c"), port(1, "z")] };
    const merged = "(self.ports + oldSelf.ports).map(p, p.name) == ['z', 'b', 'c']";
    expect(evaluate(merged, self, other)).toMatchObject({ value: true });
  });

  it("compares other lists in order", () => {
    const declarations = { self: celTypeOf({ type: "array", items: { type: "string" } })! };
    const compiled = compile("self == ['a', 'b']", { declarations });
    if (!compiled.ok) throw new Error("unexpected");
    expect(compiled.program.evaluate({ self: ["b", "a"] })).toMatchObject({ value: false });
  });
});

describe("budgets", () => {
  const numbers = celTypeOf({ type: "array", items: { type: "integer" } })!;
  const nested = "self.all(a, self.all(b, a + b >= 0))";

  it("stops an evaluation that is too expensive", () => {
    const self = Array.from({ length: 2000 }, (_, index) => index);
    expect(evaluate(nested, self, undefined, numbers)).toMatchObject({ ok: false, error: { kind: "budget" } });
  });

  it("cannot be escaped through logic", () => {
    const self = Array.from({ length: 2000 }, (_, index) => index);
    expect(evaluate(`${nested} || true`, self, undefined, numbers)).toMatchObject({ error: { kind: "budget" } });
  });

  it("is shared by the evaluations for one object", () => {
    const budget = new Budget(1000);
    const rule = program("self.all(a, a >= 0)", numbers);
    const self = [1, 2, 3];
    const { cost } = rule.evaluate({ self }, { budget });
    expect(budget.remaining).toBe(1000 - cost);
    budget.remaining = 5;
    expect(rule.evaluate({ self }, { budget })).toMatchObject({ ok: false, error: { kind: "budget" } });
  });

  it("refuses to build huge values", () => {
    const source = "cel.bind(a, self + self + self + self, cel.bind(b, a + a + a + a, b.replace('', b)))";
    expect(evaluate(source, "x".repeat(10_000), undefined, string)).toMatchObject({ error: { kind: "budget" } });
    expect(evaluate("lists.range(self).size()", 1e12, undefined, int)).toMatchObject({ error: { kind: "budget" } });
  });

  it("refuses expressions that nest too deeply", () => {
    expect(errorsOf(`${"(".repeat(300)}1${")".repeat(300)}`).join()).toContain("too deeply");
    expect(errorsOf(`1${"+1".repeat(20_000)}`).join()).toContain("too deeply");
    expect(errorsOf(`self${".a".repeat(20_000)}`).join()).toContain("too deeply");
    expect(errorsOf("1".padEnd(100_001)).join()).toContain("exceeds");
  });
});

const list = (bounds: Partial<SchemaNode>, items: SchemaNode): SchemaNode => ({ type: "array", items, ...bounds });

describe("the cost estimate", () => {
  const word: SchemaNode = { type: "string" };
  const limit = 10_000_000;

  it.each<[string, SchemaNode, boolean]>([
    ["self.all(x, x == 'a')", list({ maxItems: 100 }, { ...word, maxLength: 10 }), true],
    ["self.all(x, self.all(y, x == y))", list({ maxItems: 100 }, { ...word, maxLength: 10 }), true],
    ["self.all(x, self.exists_one(y, x == y))", list({}, word), false],
    ["self.all(x, x.contains('abcdefghijkl'))", list({}, word), false],
    ["self.all(a, self.all(b, self.all(c, self.all(d, a == d))))", list({}, word), false],
    ["self.contains('a')", word, true],
    ["self.matches('^[a-z]+$')", { ...word, maxLength: 63 }, true],
    ["self.split(',').all(x, x.matches('^a{0,100}$'))", word, false],
    ["self == oldSelf", { type: "object", properties: { a: word } }, true],
  ])("%s", (source, schema, isWithin) => {
    const type = celTypeOf(schema)!;
    expect(program(source, type).maxCost <= limit).toBe(isWithin);
  });

  it("is never below what an evaluation spends", () => {
    const type = celTypeOf(list({ maxItems: 20 }, { ...word, maxLength: 20 }))!;
    const self = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(20, "x"));
    for (const source of [
      "self.all(x, x.startsWith('1') || x.matches('^[0-9]+x*$'))",
      "self.map(x, x + x).filter(y, y.size() > 3).size() == 20",
      "self.exists(x, self.exists(y, x != y && x.replace('x', 'yy') == y))",
      "cel.bind(joined, self.join(','), joined.split(',').size() == self.size())",
    ]) {
      const rule = program(source, type);
      expect(rule.evaluate({ self }).cost).toBeLessThanOrEqual(rule.maxCost);
    }
  });
});

describe("optional variables", () => {
  it("are none without a binding and wrap what is bound", () => {
    const declarations = { self: string, oldSelf: optional(string) };
    const compiled = compile("!oldSelf.hasValue() || oldSelf.value() == self", { declarations });
    if (!compiled.ok) throw new Error("unexpected");
    expect(compiled.program.evaluate({ self: "a" })).toMatchObject({ ok: true, value: true });
    expect(compiled.program.evaluate({ self: "a", oldSelf: "a" })).toMatchObject({ ok: true, value: true });
    expect(compiled.program.evaluate({ self: "a", oldSelf: "b" })).toMatchObject({ ok: true, value: false });
  });
});

describe("untyped data", () => {
  it("is dyn, as in admission conditions", () => {
    const compiled = compile("object.metadata.name != 'x' && request.operation == 'CREATE' && object.spec.n + 1 == 3", {
      declarations: { object: dyn, request: dyn },
    });
    if (!compiled.ok) throw new Error("unexpected");
    const bindings = { object: { metadata: { name: "y" }, spec: { n: 2 } }, request: { operation: "CREATE" } };
    expect(compiled.program.evaluate(bindings)).toMatchObject({ ok: true, value: true });
    expect(compiled.program.evaluate({ object: {}, request: {} })).toMatchObject({ ok: false });
    expect(compiled.program.uses("request")).toBe(true);
  });

  it("has no inherited members", () => {
    const compiled = compile("has(object.constructor) || '__proto__' in object", { declarations: { object: dyn } });
    if (!compiled.ok) throw new Error("unexpected");
    expect(compiled.program.evaluate({ object: {} })).toMatchObject({ ok: true, value: false });
  });
});
