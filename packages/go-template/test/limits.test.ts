import { compileTemplate, defineFunction, TemplateBudget, TemplateError } from "@capstan/go-template";
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
    ["a large text in a loop", '{{$x := repeat 1000000 "a"}}{{range until 90000}}{{$y := replace "a" "b" $x}}{{end}}'],
    ["the length of a text in a loop", '{{$x := repeat 1000000 "a"}}{{range until 90000}}{{$y := len $x}}{{end}}'],
    ["a replacement that grows", '{{$x := repeat 1000 "a"}}{{replace "a" $x $x | replace "a" $x}}'],
    ["lines of one letter", '{{$x := repeat 100000 "a"}}{{wrapWith 1 $x $x}}'],
    ["a replacement of nothing", '{{$x := repeat 100000 "a"}}{{replace "" $x $x}}'],
    ["a pattern", '{{$x := repeat 90000 "a"}}{{regexMatch (print (repeat 900 "a?") (repeat 900 "a")) $x}}'],
    ["a replacement by a pattern", '{{$x := repeat 9000 "a"}}{{regexReplaceAll "a" $x (repeat 9000 "$0")}}'],
    ["joints", '{{join (repeat 100000 "x") (until 90000)}}'],
    ["lines that are indented", '{{indent 9000 (repeat 9000 "\\n")}}'],
    ["widths", '{{printf (repeat 9000 "%9000d") 1}}'],
    ["widths of arguments", '{{printf (repeat 9000 "%*d") 9000 1}}'],
    ["a value that is written again", '{{$x := repeat 9000 "a"}}{{printf (repeat 9000 "%[1]s") $x}}'],
    ["a list that doubles", "{{$x := list 1}}{{range until 60}}{{$x = list $x $x}}{{end}}{{$x}}"],
    ["a map that holds itself", '{{$x := dict}}{{$_ := set $x "x" $x}}{{$x}}'],
    ["a map that holds itself and is compared", '{{$x := dict}}{{$_ := set $x "x" $x}}{{deepEqual $x $x}}'],
    ["a map that holds itself and is encoded", '{{$x := dict}}{{$_ := set $x "x" $x}}{{toJson $x}}'],
    ["items that are held against each other", "{{until 90000 | uniq | len}}"],
    ["a list that grows", "{{$x := list}}{{range until 90000}}{{$x = append $x .}}{{end}}"],
    ["spaces before the end", '{{$x := print (repeat 190000 " ") "x"}}{{range until 90000}}{{$y := trim $x}}{{end}}'],
    ["slashes before the end", '{{$x := print (repeat 1000000 "/") "x"}}{{range until 90000}}{{$y := base $x}}{{end}}'],
    ["padding before the end", '{{$x := print (repeat 60000 "=") "A"}}{{range until 90}}{{$y := b32dec $x}}{{end}}'],
    [
      "keys of a map",
      "{{$m := dict}}{{range until 9000}}{{$_ := set $m (print .) .}}{{range $m}}{{break}}{{end}}{{end}}",
    ],
    [
      "templates in a loop",
      '{{define "x"}}{{range until 1000}}{{end}}{{end}}{{range until 90000}}{{template "x"}}{{end}}',
    ],
    ["a constraint of versions", '{{semverCompare (print (repeat 300 "1  ") "!") "1"}}'],
    ["a long constraint of versions", '{{semverCompare (repeat 10000 "1 ") "1"}}'],
    ["a long version", '{{semver (print (repeat 9000 "1") "!")}}'],
    ["passwords", '{{range until 9}}{{derivePassword 1 "long" "p" "u" "s"}}{{end}}'],
    ["a long layout of a time", '{{toDate (repeat 90000 "2006") (repeat 90000 "2006")}}{{fail "after"}}'],
  ])("%s", (_, source) => {
    expect(() => render(source)).toThrow(TemplateError);
  });

  it.each([
    ["of actions", "{{.}}".repeat(100_000)],
    ["of words in one action", `{{print ${"1 ".repeat(500_000)}}}`],
    ["of stages", `{{1${"|print".repeat(200_000)}}}`],
    ["of definitions", '{{define "x"}}{{end}}'.repeat(50_000)],
    ["of comments", "{{/**/}}".repeat(100_000)],
  ])("%s without end", (_, source) => {
    expect(() => compileTemplate(source, { functions: sprigFunctions })).toThrow(TemplateError);
  });

  it("with more data than can be copied", () => {
    const data = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(() => render("{{len .}}", data)).toThrow("too many characters and items");
    expect(render("{{len .text}}", { text: "x".repeat(1_000_000) })).toBe("1000000");
  });

  it.each([
    ["repetitions in one another", "((a{10}){10}){10}"],
    ["classes of Unicode", "\\\\pL".repeat(5)],
  ])("for a pattern with %s, by what it is compiled to", (_, pattern) => {
    const budget = new TemplateBudget(50_000);
    const template = compileTemplate(`{{regexMatch "${pattern}" "a"}}`, { functions: sprigFunctions, budget });
    expect(() => template.render({})).toThrow(TemplateError);
    expect(budget.isSpent).toBe(true);
  });

  it("unless it only looks so", () => {
    expect(render('{{atoi (repeat 500000 "9")}} {{int (repeat 500000 "9")}} {{toDecimal (repeat 500000 "7")}}')).toBe(
      "0 0 0",
    );
    expect(render(`${" ".repeat(500_000)}x{{- 1}}`)).toHaveLength(500_002);
  });

  it("together with others of the same object", () => {
    const budget = new TemplateBudget(10_000);
    const template = compileTemplate('{{$x := repeat 100 "a"}}{{range until 10}}{{upper $x}}{{end}}', {
      functions: sprigFunctions,
      budget,
    });
    expect(template.render({})).toHaveLength(1000);
    expect(() => Array.from({ length: 10 }, () => template.render({}))).toThrow(/too many characters and items/);
  });

  it("and not for what documents of machines hold", () => {
    const disks = Array.from({ length: 200 }, (_, index) => ({ device: `/dev/sd${index}`, model: "x".repeat(100) }));
    const source = `{{range $i, $d := .disks}}{{$d.device | replace "/dev/" "" | upper | quote}} {{toJson $d | b64enc | indent 4}}
{{if regexMatch "^/dev/sd[0-9]+$" $d.device}}{{printf "%-20s|%5d" $d.device $i}}{{end}}{{end}}{{.text | b64enc | nindent 8}}`;
    expect(render(source, { disks, text: "y".repeat(200_000) }).length).toBeGreaterThan(200_000);
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
