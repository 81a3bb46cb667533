import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cloudConfig } from "./cloud-config.ts";
import { yamlText } from "./yaml-text.ts";

const readers = ["1.1", "1.2"] as const;

describe("yamlText", () => {
  it("sorts keys, does not indent lists and writes texts as literal blocks", () => {
    const value = {
      kind: "Thing",
      apiVersion: "v1",
      list: [{ b: 1, a: ["x", ["w", "z"]] }, "plain"],
      empty: { list: [], map: {}, text: "" },
      nested: { deep: { content: "one\n  two\n" } },
      taints: null,
      left: undefined,
    };
    expect(yamlText(value)).toBe(`apiVersion: v1
empty:
  list: []
  map: {}
  text: ''
kind: Thing
list:
- a:
  - x
  - - w
    - z
  b: 1
- plain
nested:
  deep:
    content: |
      one
        two
taints: null
`);
  });

  it.each([
    ["0640", "'0640'"],
    ["yes", "'yes'"],
    ["Off", "'Off'"],
    ["y", "'y'"],
    ["1:30", "'1:30'"],
    ["~", "'~'"],
    ["=", "'='"],
    ["1e3", "'1e3'"],
    ["0x1F", "'0x1F'"],
    ["1_000", "'1_000'"],
    [".5", "'.5'"],
    ["2030-01-01", "'2030-01-01'"],
    ["v1.33.4", "v1.33.4"],
    ["203.0.113.40:6443", "203.0.113.40:6443"],
    ["/dev/sdc", "/dev/sdc"],
    ["-E", "-E"],
    ["- x", "'- x'"],
    ["A: b", "'A: b'"],
    ["it's # here", "'it''s # here'"],
    ["a\ttab", '"a\\ttab"'],
    ["nel\u0085", '"nel\\u0085"'],
    ["{{ ds.meta_data.label }}", "'{{ ds.meta_data.label }}'"],
    ["{{ ds['label'] }}", `"{{ ds['label'] }}"`],
    [`{{ f('a', "b\\\\c") }}`, `|-\n  {{ f('a', "b\\\\c") }}`],
    ["set '{{ a }}'", "set '{{ a }}'"],
    ["x\n", "|\n  x"],
    ["x\ny", "|-\n  x\n  y"],
    ["x\n\n", "|+\n  x\n"],
    [" x\n", "|2\n   x"],
    ["x\r\n", '"x\\r\\n"'],
  ])("writes %j safely", (value, written) => {
    expect(yamlText({ key: value })).toBe(`key: ${written}\n`);
    for (const version of readers) expect(parse(yamlText({ key: value }), { version })).toEqual({ key: value });
  });

  const awkward = fc.stringMatching(/^[-:#{}'"%|>&*!?@`\\, \n\t0-9a-fxyno._~=+]{0,14}$/);
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.oneof(awkward, fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(awkward, tie("value"), { maxKeys: 4 }),
    ),
  })).value;

  it.each(readers)("is read back unchanged by a YAML %s reader", (version) => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parse(yamlText(value), { version })).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("cloudConfig", () => {
  it("writes the headers and the sections that have entries, in the order given", () => {
    const document = cloudConfig({
      jinja: true,
      sections: {
        write_files: [{ path: "/a", permissions: "0600", content: "x\n" }],
        bootcmd: [],
        runcmd: ["echo yes"],
        ntp: undefined,
        disk_setup: {},
        mounts: [["LABEL=data", "/var/lib/data"]],
      },
    });
    expect(document).toBe(`## template: jinja
#cloud-config

write_files:
- path: /a
  permissions: '0600'
  content: |
    x
runcmd:
- echo yes
mounts:
- - LABEL=data
  - /var/lib/data
`);
  });

  it.each([
    ["{% if a %}\nyes\n{% endif %}\n", `"{% if a %}yes\\n{% endif %}"`],
    ["x {%- if a -%} yes {%- endif %} z", `"x{%- if a -%}yes{%- endif %} z"`],
    ["echo {% if a %}b{% endif %}", `"echo {% if a %}b{% endif %}"`],
    ["echo {% if a %}b{% endif %} c", "echo {% if a %}b{% endif %} c"],
    ['{# c #}\n"a"\n', `"{# c #}\\"a\\"\\n"`],
    ['a\t{{ b["c"] }}', `|-\n  a\t{{ b["c"] }}`],
    ['a\r\n{{ b["c"] }} "d"', `"a\\r\\n{{ b["c"] }} \\"d\\""`],
  ])("is not torn by the blanks that Jinja takes away: %j", (text, written) => {
    const document = cloudConfig({ jinja: true, sections: { a: { b: text } } });
    expect(document.split("\n").slice(3).join("\n")).toBe(`a:\n  b: ${written.replaceAll("\n", "\n  ")}\n`);
  });

  it.each([
    ["many expressions", "{{ a }} ".repeat(20_000)],
    ["many statements", "{% if a %}".repeat(20_000)],
    ["what only begins like it, and ends once", `${"{{ ".repeat(20_000)}}}`],
    ["a long expression", `{{ a${" + b".repeat(100_000)} }}`],
  ])("is refused with more Jinja than is read within a moment: %s", (_, text) => {
    const sections = { write_files: [{ path: "/a", content: text }] };
    expect(() => cloudConfig({ jinja: true, sections })).toThrow(
      expect.objectContaining({ code: "kit.jinja_too_long", retry: { kind: "never" } }),
    );
    expect(cloudConfig({ sections })).toContain("write_files");
  });

  it("may hold long texts with braces of other programs", () => {
    const chart =
      "  image: {{ .Values.image.repository }}:{{ .Values.image.tag }}\n    # text that is not a template\n".repeat(
        4_000,
      );
    expect(cloudConfig({ jinja: true, sections: { write_files: [{ path: "/a", content: chart }] } })).toContain(
      "Values",
    );
  });

  it("leaves the Jinja header out unless asked for", () => {
    expect(cloudConfig({ sections: {} })).toBe("#cloud-config\n\n");
  });
});
