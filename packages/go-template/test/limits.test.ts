import { compileTemplate, defineFunction, TemplateError } from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { describe, expect, it } from "vitest";

const render = (
  source: string,
  data: unknown = {},
  limits: { readonly outputBytes?: number; readonly steps?: number } = {},
) => compileTemplate(source, { name: "install", functions: sprigFunctions, missingKey: "error", limits }).render(data);

describe("a template that is made to take long is refused", () => {
  it.each([
    ["loops", "{{range until 90000}}{{range until 90000}}{{end}}{{end}}"],
    ["a number to count to", "{{range 1000000000}}{{end}}"],
    ["a list", "{{until 1000000000}}"],
    ["a text", '{{repeat 1000000000 "x"}}'],
    ["a text that doubles", '{{$x := "xx"}}{{range until 60}}{{$x = print $x $x}}{{end}}'],
    ["templates that call one another", '{{define "x"}}{{template "x" .}}{{end}}{{template "x" .}}'],
    ["parentheses", `{{${"(".repeat(5_000)}1${")".repeat(5_000)}}}`],
    ["blocks", "{{if true}}".repeat(5_000)],
    ["a width", '{{printf "%1000000000d" 1 | len | repeat 9 "x"}}'],
  ])("%s", (_, source) => {
    expect(() => render(source)).toThrow(TemplateError);
  });

  it("by the bytes of its output", () => {
    expect(render("{{repeat 5 .x}}", { x: "é" }, { outputBytes: 10 })).toBe("ééééé");
    expect(() => render("{{repeat 6 .x}}", { x: "é" }, { outputBytes: 10 })).toThrow("more than 10 bytes");
  });

  it("by its steps", () => {
    expect(() => render("{{range 50}}{{.}}{{end}}", {}, { steps: 40 })).toThrow("more than 40 steps");
  });
});

describe("a message says where and why", () => {
  it.each([
    ["a\n{{ .x.y }}", {}, 'template: install:2:4: executing "install" at <.x.y>: map has no entry for key "x"'],
    [
      "{{ .x.y }}",
      { x: null },
      'template: install:1:4: executing "install" at <.x.y>: nil pointer evaluating interface {}.y',
    ],
    ["{{ nofun 1 }}", {}, 'template: install:1:4: function "nofun" not defined'],
    ['{{ fail "why" }}', {}, 'template: install:1:4: executing "install" at <fail>: error calling fail: why'],
    ["{{ upper 1 }}", {}, "wrong type for argument 1 of upper: want string got int"],
    ["{{ upper }}", {}, "wrong number of args for upper: want 1 got 0"],
    ["{{if .x}}", { x: 1 }, "{{if}} has no {{end}}"],
  ])("%s", (source, data, message) => {
    expect(() => render(source, data)).toThrow(message);
  });

  it("and for programs, the line and column", () => {
    expect(() => render("\n\n  {{ nofun }}")).toThrow(expect.objectContaining({ line: 3, column: 6 }));
  });
});

describe("data", () => {
  it("stay as they are", () => {
    const data = Object.freeze({ map: Object.freeze({ a: 1 }) });
    expect(render('{{$_ := set .map "b" 2}}{{.map}}', data)).toBe("map[a:1 b:2]");
    expect(data).toEqual({ map: { a: 1 } });
  });

  it("have no members that they did not bring", () => {
    expect(() => render("{{.constructor}}")).toThrow('map has no entry for key "constructor"');
    expect(render('{{dict "__proto__" 1 "x" 2}}')).toBe("map[__proto__:1 x:2]");
    expect(() => render('{{get (dict) "toString" | upper}}{{.toString}}')).toThrow(TemplateError);
  });

  it("may lack keys, unless that is an error", () => {
    expect(compileTemplate("{{.a}}|{{if .b}}x{{end}}").render({})).toBe("<no value>|");
  });
});

it("functions of one's own are called like the others", () => {
  const functions = { twice: defineFunction(["string"], (text) => text + text) };
  expect(compileTemplate('{{ "ab" | twice }}', { functions }).render({})).toBe("abab");
});
