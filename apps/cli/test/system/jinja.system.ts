import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cloudInitDocument } from "@capstan/kit/bootstrap";
import { seededRandom } from "@capstan/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { bootMachine, buildRoot, unavailable } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real Jinja is skipped: ${reason}`);

const metadata = { "instance-id": "i-1", "local-hostname": "orchid-1", label: "orchid-1" };

/** What Jinja reads, and what it does not, to be put together at random. */
const pieces = [
  [
    "{{ a }}",
    "{{- a -}}",
    "{{ a.b['c'] }}",
    "{{ a|upper }}",
    "{{ a | nosuch }}",
    "{{ a b }}",
    "{{ a if b }}",
    "{{ a else b }}",
  ],
  [
    "{{ 'x' ~ (1, 2)[0] }}",
    "{{ f(a, b=1) }}",
    "{{ f(b=1, a) }}",
    "{{ a is defined and b }}",
    "{{ a is nosuch }}",
    "{{ 07 }}",
  ],
  [
    "{% if a %}",
    "{% elif b %}",
    "{% else %}",
    "{% endif %}",
    "{%- for a in b if c -%}",
    "{% endfor %}",
    "{% set a = 1 %}",
  ],
  ["{% set a %}", "{% endset %}", "{% macro m(a=1) %}", "{% endmacro %}", "{% raw %}", "{% endraw %}", "{% foo %}"],
  [
    "{# c #}",
    "{#- c -#}",
    "${#a[@]}",
    "{{.Names}}",
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "{",
    "}",
    "\n",
    " ",
    "\t",
    "\r\n",
    "text",
  ],
  ["'", '"', "\\", ": ", " #", "- ", "\u0007", "é"],
].flat();

/** Compiles each text as cloud-init does, and says which could not be. */
const reader = `
import json
from jinja2 import Environment
environment = Environment(extensions=["jinja2.ext.do"], trim_blocks=True)
wrong = []
for text in json.load(open("/tmp/texts.json")):
    try:
        environment.from_string(text)
    except Exception as error:
        wrong.append([text, str(error)])
print(json.dumps(wrong))
`;

describe.skipIf(reason !== undefined)("Jinja of the real cloud-init", () => {
  let root: string;
  beforeAll(() => {
    root = buildRoot();
  });

  it("reads every document, whatever its texts are", () => {
    const random = seededRandom(14);
    const documents = Array.from({ length: 3000 }, () => {
      const [count = 0, ...places] = random.bytes(7);
      const text = places
        .slice(0, 1 + (count % 6))
        .map((place) => pieces[place % pieces.length])
        .join("");
      return cloudInitDocument({ files: [{ path: "/a", content: text }], commands: [text, "true"] });
    });
    writeFileSync(join(root, "tmp/texts.json"), JSON.stringify(documents));
    const { status, stderr, stdout } = spawnSync("chroot", [root, "python3", "-c", reader], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it("writes what it cannot read as it is, and what it can as it says", { timeout: 120_000 }, async () => {
    const read = {
      "/etc/statements": [
        "{% if ds.meta_data.label %}\nname: {{ ds.meta_data.label }}\n{% else %}\nnone\n{% endif %}\n",
        "name: orchid-1\n",
      ],
      "/etc/blanks": ["a   {%- if true -%}   b   {%- endif %} c", "ab c\n"],
      "/etc/tab": ["a\t'{{ ds.meta_data[\"label\"] }}'", "a\t'orchid-1'\n"],
      "/etc/bell": ['\u0007{{ ds.meta_data["label"] }} "b"', '\u0007orchid-1 "b"\n'],
      "/etc/comment": ["a {# c #}\nb", "a b\n"],
      "/etc/shell": ["echo ${#a[@]} ${b#} #}", "echo ${#a[@]} ${b#} #}\n"],
      "/etc/wrong": [
        "{{ a b }} {% if c %} {{ d | nosuch }} {% include 'e' %}",
        "{{ a b }} {% if c %} {{ d | nosuch }} {% include 'e' %}\n",
      ],
    } as const;
    const document = cloudInitDocument({
      files: Object.entries(read).map(([path, [content]]) => ({ path, content })),
      commands: [
        "{% if ds.meta_data.label == 'orchid-1' %}",
        "kubeadm one",
        "{% else %}",
        "kubeadm two",
        "{% endif %}",
        'kubeadm "{{ x y }}"\r',
      ],
    });
    const files = Object.keys(read);
    const booted = await bootMachine({ root, userData: Buffer.from(document), metadata, files });
    expect(Object.fromEntries(files.map((path) => [path, booted.file(path)])), booted.log).toEqual(
      Object.fromEntries(Object.entries(read).map(([path, [, written]]) => [path, written])),
    );
    expect(booted.calls.filter((call) => call.startsWith("kubeadm "))).toEqual(["kubeadm one", "kubeadm {{ x y }}\r"]);
  });
});
