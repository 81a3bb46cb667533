import { turnsUntil } from "@capstan/testing";
import { expect, it } from "vitest";
import { renderJinja } from "./jinja.ts";

const metadata = {
  "local-hostname": "worker-0",
  "instance-id": "i-7",
  region: "eu",
  tags: ["a", "b"],
  labels: { team: "red" },
};
const render = async (text: string): Promise<string> => renderJinja(`## template: jinja\n${text}`, metadata);

// What Jinja 3.1.6 makes of them, with the settings of cloud-init.
it.each([
  ["{{ ds.meta_data.local_hostname }} {{ ds['meta_data']['local-hostname'] }} {{ v1.region }}", "worker-0 worker-0 eu"],
  [
    "{{ local_hostname }} {{ ds.meta_data.nope }} {{ nope }}",
    "worker-0 CI_MISSING_JINJA_VAR/nope CI_MISSING_JINJA_VAR/nope",
  ],
  ["{% if v1.region == 'eu' %}\nyes\n{% elif nope %}\nno\n{% else %}\nno\n{% endif %}\nend\n", "yes\nend\n"],
  [
    "{% for tag in ds.meta_data.tags if tag != 'c' %}{{ loop.index }}{{ tag }}{% if not loop.last %},{% endif %}{% endfor %}",
    "1a,2b",
  ],
  ["{% for key, value in ds.meta_data.labels.items() %}{{ key }}={{ value }}{% else %}none{% endfor %}", "team=red"],
  [
    "{% set a = [1, 2.5, 'x', True, None] %}{{ a }} {{ a[0] + 1 }} {{ a | length }} {{ a[1:3] }}",
    "[1, 2.5, 'x', True, None] 2 5 [2.5, 'x']",
  ],
  ["{{ nope | default('d') }} {{ nope is defined }} {{ 'x' if nope else 'y' }}", "d False y"],
  ["{{ 'a-b-c'.split('-') | join('.') }} {{ 'a-b' | replace('-', '_') | upper }} {{ ' x ' | trim }}", "a.b.c A_B x"],
  ["{{ '{#' }} {% raw %}{{ x }}{% endraw %}{# gone #}", "{# {{ x }}"],
  [
    "{{ range(3) | list }} {{ 7 // 2 }} {{ -7 % 3 }} {{ 2 ** 3 }} {{ 'a' ~ 1 }} {{ 1 < 2 < 3 }}",
    "[0, 1, 2] 3 2 8 a1 True",
  ],
  ["{% filter upper %}a{{ v1.region }}{% endfilter %}{% set b %}x{% endset %}{{ b }}", "AEUx"],
  ["{% with a = 1 %}{{ a }}{% endwith %}{{ a is defined }}  {%- if true %} z{% endif %}", "1False z"],
  [
    "{{ 3 is odd and 'a' in 'abc' and 'team' in ds.meta_data.labels }} {{ ds.meta_data.labels | tojson }}",
    'True {"team": "red"}',
  ],
])("renders %j", async (text, expected) => expect(await render(text)).toBe(expected));

const code = "('return process.env.HOME')()";

it.each([
  `{{ range.constructor${code} }}`,
  `{{ ''.constructor.constructor${code} }}`,
  `{{ 'a'.split.constructor${code} }}`,
  `{{ [].constructor.constructor${code} }}`,
  `{{ ({}).constructor.constructor${code} }}`,
  `{{ {}['constructor']['constructor']${code} }}`,
  `{{ cycler.constructor${code} }}`,
  `{{ joiner().constructor.constructor${code} }}`,
  `{{ cycler('a').next.constructor${code} }}`,
  `{{ ds.__proto__.constructor.constructor${code} }}`,
  `{{ ds.meta_data.tags.map.constructor${code} }}`,
  `{{ ds.meta_data.tags['filter']['constructor']${code} }}`,
  `{{ (1).toFixed.constructor${code} }}`,
  `{{ loop.constructor.constructor${code} }}`,
  `{{ self.constructor.constructor${code} }}`,
  `{{ lipsum.__globals__['os'].popen('id').read() }}`,
  `{{ ''.__class__.__mro__[1].__subclasses__() }}`,
  `{{ constructor${code} }}`,
  `{{ toString.constructor${code} }}`,
  `{{ 'a' | attr('constructor') }}`,
  `{{ 'a'.constructor('x') }}`,
  `{{ ds.hasOwnProperty('a') }}`,
  `{% for f in [range] %}{{ f.constructor${code} }}{% endfor %}`,
  `{% set f = range.constructor %}{{ f${code} }}`,
  `{{ dict(a=1).get.constructor${code} }}`,
])("reaches nothing of the process by %j", async (text) => {
  await expect(render(text)).rejects.toMatchObject({ code: "guest.jinja_invalid" });
});

it.each(["constructor", "__proto__", "prototype", "hasOwnProperty", "toString", "valueOf"])(
  "takes %s for the name of a variable that nobody gave",
  async (name) => {
    const missing = `CI_MISSING_JINJA_VAR/${name}`;
    const text = `{{ ${name} }}{{ ds.${name} }}{{ ds['${name}'] }}{{ ds.meta_data.tags.${name} }}{{ 'a'.${name} }}`;
    expect(await render(text)).toBe(missing.repeat(5));
    await expect(render(`{{ 'a'.${name}() }}`)).rejects.toThrow(/no method/);
    await expect(render(`{{ ${name}() }}`)).rejects.toThrow(/not modelled/);
    await expect(render(`{{ ds.meta_data.tags.${name}() }}`)).rejects.toThrow(/no method/);
    await expect(render(`{{ ds.${name}() }}`)).rejects.toThrow(/no method/);
    await expect(render(`{{ 'a' | ${name} }}`)).rejects.toThrow(/cannot read/);
  },
);

it.each([
  "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}",
  "{{ range(10 ** 12) }}",
  "{{ 'x' * 10 ** 10 }}",
  "{{ ('x' * 1000000) | replace('x', 'y' * 1000000) }}",
  "{{ ('x' * 1000000) | replace('', 'y' * 1000000) }}",
  "{% for a in range(100000) %}{{ ('x' * 1000000) | replace('x', 'y') }}{% endfor %}",
  "{{ ('x' * 1000000).split('') }}",
  `{% set a = ['x'] %}${"{% set a = [a, a] %}".repeat(100)}{{ a }}`,
  `{% set a = 'xx' %}${"{% set a = a ~ a %}".repeat(100)}{{ a }}`,
  "{{ range(100000) | list | unique }}",
  "{{ 'x' | indent(10 ** 9, true) }}",
  "{{ 'x'.zfill(10 ** 10) }}",
  `{{ ${"(".repeat(500)}1${")".repeat(500)} }}`,
  `{{ ${"1 if ".repeat(500)}1 }}`,
  "{% if true %}".repeat(500) + "{% endif %}".repeat(500),
])("ends %j soon", async (text) => {
  await expect(render(text)).rejects.toMatchObject({ code: "guest.jinja_invalid" });
});

it("renders what takes long while everything else goes on", async () => {
  const long = render("{% for a in range(3000) %}{% set b = a * 2 %}{% endfor %}done");
  expect(await turnsUntil(long)).toBeGreaterThan(0);
  expect(await long).toBe("done");
});
