import { expect, it } from "vitest";
import { closedJinja, withClosedJinja } from "./jinja.ts";

it.each([
  ["plain { } text", "plain { } text"],
  ["{{ a }} {% if b %}{# c #}{% endif %}", "{{ a }} {% if b %}{# c #}{% endif %}"],
  ["{{ a }} {% if b %}", "{{ a }} {{ '{%' }} if b %}"],
  ["${#array[@]}", "${{ '{#' }}array[@]}"],
  ["{{ a }} ${#array[@]} {%", "{{ a }} ${{ '{#' }}array[@]} {{ '{%' }}"],
  ["{{", "{{ '{{' }}"],
  ["{{{{ a }}}}", "{{ '{{' }}{{ a }}}}"],
  ["{{{ a }}}", "{{ '{{' }}{ a }}}"],
  ["{% raw %}{{ a }}", "{{ '{%' }} raw %}{{ a }}"],
  ["{{#", "{{ '{{' }}#"],
  ["docker ps --format '{{.Names}}'", "docker ps --format '{{ '{{' }}.Names}}'"],
  ["{{range .items}}{{$x}}{{end}}", "{{ '{{' }}range .items}}{{ '{{' }}$x}}{{ '{{' }}end}}"],
  ['{{ if eq .a "b" }}{{- else -}}', `{{ '{{' }} if eq .a "b" }}{{ '{{' }}- else -}}`],
  ["{{json .}} {{/* no */}}", "{{ '{{' }}json .}} {{ '{{' }}/* no */}}"],
  ['{{printf "%s" .a}}', `{{ '{{' }}printf "%s" .a}}`],
  ["{% for a in b %}{{ loop.index }}{%- endfor %}", "{% for a in b %}{{ loop.index }}{%- endfor %}"],
  ["{% raw %}{{.Names}} {#{%- endraw %}{{.a}}", "{% raw %}{{.Names}} {#{%- endraw %}{{ '{{' }}.a}}"],
  ["date +{%Y%}", "date +{{ '{%' }}Y%}"],
  ["{{ ds['a'] if v1.x is defined else 'none' }}", "{{ ds['a'] if v1.x is defined else 'none' }}"],
  [`{{ not "a" }}{{- range(3) | list }}`, `{{ not "a" }}{{- range(3) | list }}`],
  ["${a[@]} ${#a[@]} ${b#} #}", "${a[@]} ${{ '{#' }}a[@]} ${b#} #}"],
  ["{{ a b }}", "{{ '{{' }} a b }}"],
  ["{{ }}", "{{ '{{' }} }}"],
  [
    "{{ a && b }}{{ !a }}{{ x := 1 }}{{ a; b }}",
    "{{ '{{' }} a && b }}{{ '{{' }} !a }}{{ '{{' }} x := 1 }}{{ '{{' }} a; b }}",
  ],
  ["{{ a else b }}{{ a if b else }}", "{{ '{{' }} a else b }}{{ '{{' }} a if b else }}"],
  ["{{ 1 if }}{{ 0640 }}{{ a.b. }}", "{{ '{{' }} 1 if }}{{ '{{' }} 0640 }}{{ '{{' }} a.b. }}"],
  ["{{ a | nosuch }}{{ a is nosuch }}", "{{ '{{' }} a | nosuch }}{{ '{{' }} a is nosuch }}"],
  ["{% foo %}{% include 'a' %}{% endfor %}", "{{ '{%' }} foo %}{{ '{%' }} include 'a' %}{{ '{%' }} endfor %}"],
  ["{% if a %}{% endfor %}{% else %}", "{{ '{%' }} if a %}{{ '{%' }} endfor %}{{ '{%' }} else %}"],
  ["{% if a %}{% for b in c %}{% endif %}", "{% if a %}{{ '{%' }} for b in c %}{% endif %}"],
  ["{% if a %}{% else %}{% else %}{% endif %}", "{% if a %}{% else %}{{ '{%' }} else %}{% endif %}"],
  ["{{ end_of_name }}{{ ending.part }}", "{{ end_of_name }}{{ ending.part }}"],
])("what Jinja would not read in %j is printed as it is", (text, expected) => expect(closedJinja(text)).toBe(expected));

it.each([
  "{{ 'a }}' ~ \"%}\" }}",
  "{{ {'a': [1, 2.5, (3,)]}['a'][0:1] }}",
  "{{ f(a, *b, c=1, **d) | default('x', true) | join(',') }}",
  "{{ -a ** 2 // 3 % 4 }}{{ a not in b and c is not none or not d }}",
  "{{ a is divisibleby 3 }}{{ a is defined and b }}{{ a if b }}{{ a, b }}{{ a.0 }}",
  "{%- for a, b in c.items() if a recursive %}{{ loop.index }}{% else %}x{% endfor -%}",
  "{% set a = 1 %}{% set ns.b = 2 %}{% set c | upper %}x{% endset %}{% do a.b() %}{% print a %}",
  "{% if a == 1 %}x{% elif b %}y{% else %}z{% endif %}",
  "{% macro m(a, b=1) %}x{% endmacro %}{% call(x) m(1) %}y{% endcall %}{% with a = 1, b = 2 %}{% endwith %}",
  "{% filter upper | trim %}x{% endfilter %}{% autoescape true %}x{% endautoescape %}{#- c -#}",
])("leaves %j as it is", (text) => expect(closedJinja(text)).toBe(text));

it("takes the texts of a list for one, and each other for itself", () => {
  const commands = ["{% if a %}", "echo a", "{% endif %}"];
  expect(withClosedJinja({ commands, files: [{ a: "{% if a %}" }, { a: "{% endif %}" }] })).toEqual({
    commands,
    files: [{ a: "{{ '{%' }} if a %}" }, { a: "{{ '{%' }} endif %}" }],
  });
});

it.each(["{{ a ", "{# ", "{{ '", "((", "{{ {{ }} "])("reads a long text of %j in a moment", (part) => {
  const text = part.repeat(10_000);
  const begun = text.match(/\{[{%#]/g)?.length ?? 0;
  expect(closedJinja(text)).toHaveLength(text.length + 8 * begun);
});

it("reads a long expression", () => {
  const text = `{{ ${"a if b else ".repeat(50_000)}not ${"- ".repeat(10_000)}c }}`;
  expect(closedJinja(text)).toBe(text);
});

it("closes every text of a value, and nothing else", () => {
  expect(withClosedJinja({ a: ["{#", 1, null, { b: "{{ c }}" }], d: true })).toEqual({
    a: ["{{ '{#' }}", 1, null, { b: "{{ c }}" }],
    d: true,
  });
});
