import { jsonText } from "@capstan/schema/structural";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { isShortYaml, readYaml, readYaml11Value, readYamlTexts, YamlError } from "./read-yaml.ts";

const valuesOf = (text: string): readonly unknown[] => readYaml(text).map(({ value }) => value);

describe("readYaml", () => {
  it.each([
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a # why\n  labels: {a: b, 'c': \"d\"}\ndata:\n  x: |\n    one\n    two\n  y: >-\n    one\n    two\n",
    "- 1\n- 1.5\n- -0x1f\n- 0o17\n- true\n- ~\n- null\n- yes\n- 2026-01-01\n- 1e3\n-\n- '1'\n",
    "{}\n---\n[]\n---\n# nothing\n---\na\n...\n",
    "a: &x {b: 1}\nc: *x\n",
    "? a\n: b\n? c\n",
    '"a\\u0062\\n": "x\n  y"\n',
    "spec:\n- a: 1\n  b:\n  - c\n- |+\n  text\n\n",
    "",
    "# only a comment\n",
  ])("reads what the library for writing reads: %j", (text) => {
    const documents = parseAllDocuments(text);
    expect(valuesOf(text)).toEqual(
      Array.isArray(documents) ? documents.map((document) => document.toJS() as unknown) : [],
    );
  });

  it("reads every value that was written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(valuesOf(stringify(value)).map(jsonText)).toEqual([JSON.stringify(value)]);
      }),
      { seed: 20, numRuns: 500 },
    );
  });

  it("keeps integers of 64 bits", () => {
    expect(valuesOf("- 9007199254740993\n- -9223372036854775808\n- +9007199254740993\n- 0xffffffffffffff\n")).toEqual([
      [9007199254740993n, -9223372036854775808n, 9007199254740993n, 0xffffffffffffffn],
    ]);
  });

  it("takes names that mean something to JavaScript for names", () => {
    const [value] = valuesOf("__proto__: {a: 1}\nconstructor: 2\n1: x\ntrue: y\n");
    expect(Object.entries(value as object)).toEqual(
      expect.arrayContaining([
        ["__proto__", { a: 1 }],
        ["constructor", 2],
        ["1", "x"],
        ["true", "y"],
      ]),
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("merges maps", () => {
    expect(valuesOf("base: &b {a: 1, b: 2}\nx:\n  <<: *b\n  b: 3\n")).toEqual([
      { base: { a: 1, b: 2 }, x: { a: 1, b: 3 } },
    ]);
  });

  it("says on which line a document begins", () => {
    expect(readYaml("# one\na: 1\n---\n\n# two\nb:\n  c: 1\n---\n- x\n").map(({ line }) => line)).toEqual([2, 6, 9]);
  });

  it.each([
    ["a: 1\na: 2\n", 2],
    ["a: [1,\n", 2],
    ["a: 1\n b: 2\n", 2],
    ["a: *b\n", 1],
    ["? [a]\n: b\n", 1],
    ["a: !thing b\n", 1],
    ["? ~\n: b\n", 1],
  ])("says where %j is wrong", (text, line) => {
    expect(() => readYaml(text)).toThrow(expect.objectContaining({ name: "YamlError", line }));
  });

  it.each(["a: .inf\n", "a: .nan\n", "a: &x [*x]\n", "&x {a: *x}\n"])("refuses %j", (text) => {
    expect(() => readYaml(text)).toThrow(YamlError);
  });
});

it("readYaml11Value takes the last of a key that stands twice, and ends a block where the text ends", () => {
  expect(readYaml11Value("a: 1\nb: 2\na: 3\n")).toEqual({ a: 3, b: 2 });
  expect(readYaml11Value("a:\n- x: |\n    one\n    two")).toEqual({ a: [{ x: "one\ntwo" }] });
  expect(readYaml11Value("a: |\n  one\n")).toEqual({ a: "one\n" });
  expect(readYaml11Value("a: one")).toEqual({ a: "one" });
  expect(() => readYaml("a: 1\na: 2\n")).toThrow(YamlError);
});

it("readYaml11Value reads what programs in Python read", () => {
  expect(readYaml11Value("[yes, off, 0600, 0x1F, 1_000, 1:30, '0600', 0o17, 2026-01-01, ~, 1.5]\n")).toEqual([
    true,
    false,
    384,
    31,
    1000,
    90,
    "0600",
    "0o17",
    "2026-01-01",
    null,
    1.5,
  ]);
});

describe("readYamlTexts", () => {
  it("keeps every scalar as it stands there", () => {
    const text = "base: &b {MODE: 0600}\nx: {<<: *b, COMPRESSED: true, n: 1e3, d: 2026-01-01, q: '0x1'}\nnone:\n";
    expect(readYamlTexts(text)).toEqual({
      base: { MODE: "0600" },
      x: { MODE: "0600", COMPRESSED: "true", n: "1e3", d: "2026-01-01", q: "0x1" },
      none: "",
    });
  });

  it("takes one document", () => {
    expect(() => readYamlTexts("a: 1\n---\nb: 2\n")).toThrow("more than one document");
  });
});

describe("a text that is made to take long", () => {
  const size = 3 * 2 ** 20;
  const many = (text: string, length = size): string => text.repeat(Math.floor(length / text.length));
  const bomb = Array.from({ length: 9 }, (_, level) => `a${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`)
    .join("\n")
    .replaceAll("*a-1", "x");

  it.each([
    ["open brackets", many("[")],
    ["empty lists", `[${many("[],")}]`],
    ["empty pairs", `[${many(":,")}]`],
    ["empty items", many("-\n")],
    ["short keys", Array.from({ length: 300_000 }, (_, index) => `${index.toString(36)}:\n`).join("")],
    ["many documents", many("---\n")],
    ["many tags", many("- !!str a\n")],
    ["many aliases", `- &a x\n${many("- *a\n", 5_000)}`],
    ["aliases of aliases", bomb],
    ["aliases of a long text", `- &a "${many("x", 1_000_000)}"\n${many("- *a\n", 400)}`],
    ["merges", `- &a {${many("a: 1,", 5)}}\n${many("- {<<: [*a]}\n", 3_000)}`],
    ["nested items", `${many("- ", 5_000)}x`],
  ])("is refused: %s", (_, text) => {
    expect(() => readYaml(text)).toThrow(YamlError);
  });

  it.each([
    ["a long text", `a: ${many("x")}`],
    ["a long text between quotes", `a: "${many("\\n")}"`],
    ["a long block", `a: |\n${many("  some line of a text that goes on and on\n")}`],
    ["many keys", Array.from({ length: 39_000 }, (_, index) => `key-${index}: value\n`).join("")],
    ["byte order marks", `a: b\n${many(" \uFEFF\n", 200_000)}`],
  ])("is read, by who says so: %s", (_, text) => {
    expect(readYaml(text, { marks: 80_000 })).toHaveLength(1);
  });

  it.each([
    ["a long text", `a: ${many("x")}`, true],
    ["a long block of long lines", `a: |\n${many(`  ${"word ".repeat(50)}\n`)}`, true],
    ["as many keys as are read", Array.from({ length: 9_900 }, (_, index) => `key-${index}: value\n`).join(""), true],
    ["many keys", Array.from({ length: 39_000 }, (_, index) => `key-${index}: value\n`).join(""), false],
    ["a long block of short lines", `a: |\n${many("  x\n", 200_000)}`, false],
  ])("is short or not: %s", (_, text, isShort) => {
    expect(isShortYaml(text)).toBe(isShort);
    if (isShort) expect(readYaml(text)).toHaveLength(1);
    else expect(() => readYaml(text)).toThrow("more than 20000 lines and separators");
  });
});
