import { expect, it } from "vitest";
import { closedJinja, withClosedJinja } from "./jinja.ts";

it.each([
  ["plain { } text", "plain { } text"],
  ["{{ a }} {% if b %}{# c #}", "{{ a }} {% if b %}{# c #}"],
  ["${#array[@]}", "${{ '{#' }}array[@]}"],
  ["{{ a }} ${#array[@]} {%", "{{ a }} ${{ '{#' }}array[@]} {{ '{%' }}"],
  ["{{", "{{ '{{' }}"],
  ["{{{{ a }}}}", "{{{{ a }}}}"],
  ["{{{ a }}}", "{{{ a }}}"],
  ["{% raw %}{{ a }}", "{% raw %}{{ a }}"],
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
  ["{{ end_of_name }}{{ ending.part }}", "{{ end_of_name }}{{ ending.part }}"],
])("what Jinja would not read in %j is printed as it is", (text, expected) => expect(closedJinja(text)).toBe(expected));

it("closes every text of a value, and nothing else", () => {
  expect(withClosedJinja({ a: ["{#", 1, null, { b: "{{ c }}" }], d: true })).toEqual({
    a: ["{{ '{#' }}", 1, null, { b: "{{ c }}" }],
    d: true,
  });
});
