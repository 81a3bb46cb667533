import { multipart } from "@capstan/kit/bootstrap";
import { gzipSync } from "node:zlib";

/** User data that someone got wrong, or that looks so. `FILES` are compared after the boot, whatever they hold. */
export interface BadUserData {
  readonly userData: Uint8Array;
  /** Answers of the server that `#include` of `http://include/NAME` asks, by name. */
  readonly served?: Readonly<Record<string, Served>>;
}

export interface Served {
  readonly status: number;
  readonly body: Uint8Array;
}

/** What cases write. */
export const files = ["/opt/a", "/opt/b", "/opt/c", "/opt/d", "/opt/e"] as const;

/** Stands for the address of the server of includes. */
export const include = "http://include";

const text = (content: string): BadUserData => ({ userData: Buffer.from(content) });
const latin1 = (content: string): BadUserData => ({ userData: Buffer.from(content, "latin1") });

const good = "#cloud-config\nwrite_files:\n- {path: /opt/a, content: one}\nruncmd:\n- echo two >/opt/b\n";
const script = "#!/bin/sh\necho three >/opt/c\n";
const long = "x".repeat(64 * 1024);

const parts = (...contents: readonly string[]): BadUserData =>
  text(multipart(contents.map((content, index) => ({ name: `part-${index}`, content }))));

const head = 'Content-Type: multipart/mixed; boundary="b"\nMIME-Version: 1.0\n\n';
/** Parts with headers of their own. */
const mime = (...sections: readonly (readonly [headers: string, body: string])[]): BadUserData =>
  text(`${head}${sections.map(([headers, body]) => `--b\n${headers}\n\n${body}\n`).join("")}--b--\n`);

const answer = (status: number, body: string): Served => ({ status, body: Buffer.from(body) });
const including = (
  names: readonly string[],
  served: Readonly<Record<string, Served>>,
  first = "#include",
): BadUserData => ({
  userData: Buffer.from(`${first}\n${names.map((name) => `${include}/${name}\n`).join("")}`),
  served,
});

const jinja = "## template: jinja\n";

export const cases: Readonly<Record<string, BadUserData>> = {
  // What a document begins with.
  nothing: text(""),
  "a comment": text("# just a comment\n"),
  "a cloud-config that is empty": text("#cloud-config\n"),
  "a cloud-config that is a list": text("#cloud-config\n- echo one >/opt/a\n"),
  "a cloud-config that is a scalar": text("#cloud-config\nhello\n"),
  "an empty line first": text(`\n${good}`),
  "spaces first": text(`  ${good}`),
  "a byte order mark first": text(`\uFEFF${good}`),
  "the header in other case": text(good.replace("#cloud-config", "#Cloud-Config")),
  "more after the header": text(good.replace("#cloud-config", "#cloud-config for the worker")),
  "the header without its number sign": text(good.replace("#cloud-config", "cloud-config")),
  "a comment before the header": text(`# by hand\n${good}`),
  "the header with a space": text(good.replace("#cloud-config", "# cloud-config")),
  "base64 that nobody decodes": text(Buffer.from(good).toString("base64")),
  "an archive": text(
    '#cloud-config-archive\n- type: text/cloud-config\n  content: |\n    runcmd: [echo one >/opt/a]\n- "#!/bin/sh\\necho three >/opt/c\\n"\n',
  ),

  // YAML.
  "YAML cut in a flow": text(`${good}- [echo, "fo`),
  "YAML cut in a quoted text": text(
    '#cloud-config\nwrite_files:\n- {path: /opt/a, content: one}\nruncmd:\n- "echo two >/opt/b',
  ),
  "YAML cut in a block": text(
    "#cloud-config\nruncmd:\n- echo two >/opt/b\nwrite_files:\n- path: /opt/a\n  content: |\n    begin\n    of a fi",
  ),
  "YAML cut after a key": text("#cloud-config\nwrite_files:\n- {path: /opt/a, content: one}\nruncmd:"),
  "YAML with tabs": text("#cloud-config\nruncmd:\n\t- echo two >/opt/b\n"),
  "YAML indented too little": text(
    "#cloud-config\nwrite_files:\n- path: /opt/a\n content: one\nruncmd:\n- echo two >/opt/b\n",
  ),
  "YAML indented too much": text(
    "#cloud-config\nwrite_files:\n  - path: /opt/a\n     content: one\nruncmd:\n- echo two >/opt/b\n",
  ),
  "a list under the wrong key": text("#cloud-config\nruncmd:\nwrite_files:\n- echo two >/opt/b\n"),
  "a colon in a command": text(
    "#cloud-config\nruncmd:\n- echo one >/opt/a\n- echo note: two >/opt/b\n- echo three >/opt/c\n",
  ),
  "a key twice": text("#cloud-config\nruncmd: [echo one >/opt/a]\nruncmd: [echo two >/opt/b]\n"),
  "two documents": text("#cloud-config\nruncmd: [echo one >/opt/a]\n---\nruncmd: [echo two >/opt/b]\n"),
  "an alias that there is not": text("#cloud-config\nruncmd: [*none]\nwrite_files: [{path: /opt/a, content: one}]\n"),
  "a tag of Python": text(
    "#cloud-config\nruncmd: [echo one >/opt/a]\nx: !!python/object/apply:os.system [echo two >/opt/b]\n",
  ),
  "a control character": text("#cloud-config\nruncmd: [echo one >/opt/a]\n# \u0007\n"),

  // Lines.
  "CRLF in a cloud-config": text(good.replaceAll("\n", "\r\n")),
  "CRLF in a block of a file": text(
    "#cloud-config\r\nwrite_files:\r\n- path: /opt/a\r\n  content: |\r\n    one\r\n    two\r\n",
  ),
  "CRLF in a script": text(script.replaceAll("\n", "\r\n")),
  "CRLF in several parts": text(
    multipart([
      { name: "a", content: good },
      { name: "b", content: script },
    ]).replaceAll("\n", "\r\n"),
  ),
  "CR alone": text(good.replaceAll("\n", "\r")),
  "no line feed at the end": text(good.trimEnd()),
  "a line of 64 KiB in a file": text(`#cloud-config\nwrite_files:\n- {path: /opt/a, content: ${long}}\n`),
  "a line of 64 KiB in a command": text(`#cloud-config\nruncmd:\n- echo ${long} >/opt/b\n- echo three >/opt/c\n`),
  "a line of 64 KiB in a script": text(`#!/bin/sh\necho ${long} >/opt/c\n`),
  "a line of 64 KiB in a comment": text(`#cloud-config\n# ${long}\nruncmd: [echo two >/opt/b]\n`),
  "a line of 64 KiB in a part": mime([
    "Content-Type: text/cloud-config",
    `#cloud-config\nwrite_files: [{path: /opt/a, content: ${long}}]`,
  ]),

  // Bytes.
  "Latin-1 in a file": latin1(
    "#cloud-config\nwrite_files:\n- {path: /opt/a, content: gr\u00FC\u00DFe}\nruncmd:\n- echo two >/opt/b\n",
  ),
  "Latin-1 in a comment": latin1(`${good}# f\u00FCr den Knoten\n`),
  "Latin-1 in a script": latin1("#!/bin/sh\n# gr\u00FC\u00DFe\necho three >/opt/c\n"),
  "UTF-16": { userData: Buffer.from(`\uFEFF${good}`, "utf16le") },
  "a zero byte": text(`${good}- echo \u0000 >/opt/d\n`),
  gzip: { userData: gzipSync(good) },
  "gzip twice": { userData: gzipSync(gzipSync(good)) },
  "gzip that is cut": { userData: gzipSync(good).subarray(0, 40) },
  "gzip of a script": { userData: gzipSync(script) },

  // Scripts.
  "a script without its first line": text("echo three >/opt/c\n"),
  "a script after an empty line": text(`\n${script}`),
  "a script with a program that there is not": text("#!/opt/nothing\necho three >/opt/c\n"),
  "a script that ends early": text("#!/bin/sh\nset -e\necho one >/opt/a\nfalse\necho two >/opt/b\n"),
  "a script that fails and goes on": text("#!/bin/sh\necho one >/opt/a\nfalse\necho two >/opt/b\n"),
  "a script of several lines": text(
    "#!/bin/sh\nif [ -e /opt/a ]; then\n  echo one >/opt/b\nelse\n  echo two >/opt/b\nfi\ncat >/opt/c <<EOF\nthree\nfour\nEOF\n",
  ),
  "a boothook": text("#cloud-boothook\n#!/bin/sh\necho three >/opt/c\n"),
  "an upstart job": text("#upstart-job\nstart on stopped\n"),

  // Modules.
  "runcmd that is a text": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: one}]\nruncmd: echo two >/opt/b\n",
  ),
  "runcmd that is a mapping": text("#cloud-config\nwrite_files: [{path: /opt/a, content: one}]\nruncmd: {echo: two}\n"),
  "runcmd with a number": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- 5\n- echo two >/opt/b\n"),
  "runcmd with a mapping": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- {echo: two}\n- echo three >/opt/c\n"),
  "runcmd with nothing": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n-\n- echo two >/opt/b\n"),
  "runcmd with a list of numbers": text(
    "#cloud-config\nruncmd:\n- [sh, -c, 'echo $0 >/opt/a', 5]\n- echo two >/opt/b\n",
  ),
  "runcmd with a truth value": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- false\n- echo two >/opt/b\n"),
  "runcmd whose line fails": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- 'false'\n- echo two >/opt/b\n"),
  "runcmd whose last line fails": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- 'false'\n"),
  "runcmd with set -e": text("#cloud-config\nruncmd:\n- set -e\n- echo one >/opt/a\n- 'false'\n- echo two >/opt/b\n"),
  "runcmd with exit": text("#cloud-config\nruncmd:\n- echo one >/opt/a\n- exit 3\n- echo two >/opt/b\n"),
  "runcmd with a quote that stays open": text(
    "#cloud-config\nruncmd:\n- echo one >/opt/a\n- echo 'two >/opt/b\n- echo three >/opt/c\n",
  ),
  "bootcmd that fails": text("#cloud-config\nbootcmd: ['false']\nruncmd: [echo two >/opt/b]\n"),
  "bootcmd that is a text": text("#cloud-config\nbootcmd: echo one >/opt/a\nruncmd: [echo two >/opt/b]\n"),
  "write_files that is a mapping": text(
    "#cloud-config\nwrite_files: {path: /opt/a, content: one}\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with a text": text("#cloud-config\nwrite_files: [/opt/a]\nruncmd: [echo two >/opt/b]\n"),
  "write_files without a path": text(
    "#cloud-config\nwrite_files:\n- {path: /opt/a, content: one}\n- {content: two}\n- {path: /opt/c, content: three}\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files without content": text("#cloud-config\nwrite_files: [{path: /opt/a}]\nruncmd: [echo two >/opt/b]\n"),
  "write_files with a number": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: 42}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with a mapping as content": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: {x: 1}}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with permissions that are none": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: one, permissions: rw-r--r--}, {path: /opt/c, content: three}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with base64 that is none": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: '%%%', encoding: b64}, {path: /opt/c, content: three}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with base64 in lines": text(
    "#cloud-config\nwrite_files:\n- path: /opt/a\n  encoding: b64\n  content: |\n    b25l\n    dHdv\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with gzip that is none": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: b25l, encoding: gz+b64}, {path: /opt/c, content: three}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with an encoding that there is not": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: one, encoding: rot13}, {path: /opt/c, content: three}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with an owner that there is not": text(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: one}, {path: /opt/c, content: three, owner: 'nobody-here:x'}, {path: /opt/d, content: four}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "write_files with a relative path": text(
    "#cloud-config\nwrite_files: [{path: opt/a, content: one}, {path: /opt/c, content: three}]\nruncmd: [echo two >/opt/b]\n",
  ),
  "keys that there are not": text(`${good}no_such_module: {x: 1}\n`),

  // Templates.
  "a template that is cut": text(`${jinja}#cloud-config\nruncmd:\n- echo {{ ds.meta_data.label >/opt/b\n`),
  "a template with a statement that stays open": text(
    `${jinja}#cloud-config\nruncmd:\n- echo two >/opt/b\n{% if true %}\n- echo three >/opt/c\n`,
  ),
  "a template with a filter that there is not": text(
    `${jinja}#cloud-config\nruncmd:\n- echo {{ ds.meta_data.label | nothing }} >/opt/b\n`,
  ),
  "a template that divides by zero": text(`${jinja}#cloud-config\nruncmd:\n- echo {{ 1 / 0 }} >/opt/b\n`),
  "a template of what there is not": text(
    `${jinja}#cloud-config\nruncmd:\n- echo {{ ds.meta_data.nothing }} >/opt/b\n- echo {{ nothing }} >/opt/c\n`,
  ),
  "a template of what is below what there is not": text(
    `${jinja}#cloud-config\nruncmd:\n- echo {{ ds.nothing.more }} >/opt/b\n`,
  ),
  "a template that renders bad YAML": text(`${jinja}#cloud-config\nruncmd: [echo {{ '"' }} >/opt/b\n`),
  "a template without more": text(`${jinja}runcmd: [echo two >/opt/b]\n`),
  "a template of a script": text(`${jinja}#!/bin/sh\necho {{ ds.meta_data.label }} >/opt/c\n`),
  "a template of an include": text(`${jinja}#include\nhttp://127.0.0.1:1/\n`),
  "a template header that is wrong": text(
    "## template:jinja\n#cloud-config\nruncmd: [echo {{ ds.meta_data.label }} >/opt/b]\n",
  ),
  "a template of Mako": text("## template: mako\n#cloud-config\nruncmd: [echo two >/opt/b]\n"),
  "CRLF in a template": text(
    `${jinja}#cloud-config\nruncmd: [echo {{ ds.meta_data.label }} >/opt/b]\n`.replaceAll("\n", "\r\n"),
  ),
  "a template that is cut, in parts": parts(`${jinja}#cloud-config\nruncmd:\n- echo {{ x >/opt/b\n`, script),

  // Parts.
  "parts out of order": parts(script, good),
  "a part with bad YAML": parts(
    "#cloud-config\nruncmd: [",
    script,
    "#cloud-config\nwrite_files: [{path: /opt/d, content: four}]\n",
  ),
  "two parts with commands": parts(
    "#cloud-config\nruncmd: [echo one >/opt/a]\n",
    "#cloud-config\nruncmd: [echo two >/opt/b]\n",
  ),
  "two parts with other keys": parts(
    "#cloud-config\nwrite_files: [{path: /opt/a, content: one}]\n",
    "#cloud-config\nruncmd: [echo two >/opt/b]\n",
  ),
  "a script that fails before another": parts("#!/bin/sh\necho one >/opt/a\nexit 1\n", script),
  "a part without a type": mime(["X-Note: none", good]),
  "a part of plain text": mime(["Content-Type: text/plain", good]),
  "a part whose type is wrong": mime(["Content-Type: text/x-shellscript", good]),
  "a script as cloud-config": mime(["Content-Type: text/cloud-config", script]),
  "a cloud-config without its header": mime(["Content-Type: text/cloud-config", "runcmd: [echo two >/opt/b]"]),
  "a script without its first line, in a part": mime(["Content-Type: text/x-shellscript", "echo three >/opt/c"]),
  "a part of a type that there is not": mime(
    ["Content-Type: application/x-nothing", good],
    ["Content-Type: text/x-shellscript", script],
  ),
  "a part of a type of HTML": mime(
    ["Content-Type: text/html", "<html></html>"],
    ["Content-Type: text/x-shellscript", script],
  ),
  "parts without an end": text(`${head}--b\nContent-Type: text/cloud-config\n\n${good}`),
  "parts without a boundary": text(
    `Content-Type: multipart/mixed\nMIME-Version: 1.0\n\n--b\nContent-Type: text/cloud-config\n\n${good}\n--b--\n`,
  ),
  "parts with another boundary": text(
    `${head.replace('"b"', '"c"')}--b\nContent-Type: text/cloud-config\n\n${good}\n--b--\n`,
  ),
  "the version before the type": text(
    `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/cloud-config\n\n${good}\n--b--\n`,
  ),
  "parts after an empty line": text(`\n${head}--b\nContent-Type: text/cloud-config\n\n${good}\n--b--\n`),
  "text before the first part": text(
    `${head}This is a message of several parts.\n--b\nContent-Type: text/cloud-config\n\n${good}\n--b--\n`,
  ),
  "base64 of a part that is none": mime(
    ["Content-Type: text/cloud-config\nContent-Transfer-Encoding: base64", "%%%%"],
    ["Content-Type: text/x-shellscript", script],
  ),
  "other letters in a part": mime([
    "Content-Type: text/cloud-config\nContent-Transfer-Encoding: 8bit",
    "#cloud-config\nwrite_files: [{path: /opt/a, content: gr\u00FC\u00DFe}]",
  ]),
  "signs beyond Latin-1 in a part": mime([
    "Content-Type: text/cloud-config",
    "#cloud-config\nwrite_files: [{path: /opt/a, content: 5 \u20AC}]",
  ]),
  "quoted-printable": mime([
    "Content-Type: text/cloud-config\nContent-Transfer-Encoding: quoted-printable",
    good.replaceAll("=", "=3D"),
  ]),
  "gzip in a part": text(
    `${head}--b\nContent-Type: application/x-gzip\nContent-Transfer-Encoding: base64\n\n${gzipSync(good).toString("base64")}\n--b--\n`,
  ),

  // Includes.
  "an include that is not found": including(["gone"], { gone: answer(404, "not found") }),
  "an include that fails": including(["broken"], { broken: answer(500, "oops") }),
  "an include that is a page": including(["page"], {
    page: answer(200, "<!doctype html>\n<html><body>Sign in</body></html>\n"),
  }),
  "an include that is empty": including(["empty"], { empty: answer(200, "") }),
  "an include of nothing": text("#include\n"),
  "an include of what is no address": text("#include\nnot an address\n"),
  "an include of a file": text("#include\nfile:///etc/hostname\n"),
  "an include on the first line": {
    userData: Buffer.from(`#include ${include}/good\n`),
    served: { good: answer(200, good) },
  },
  "an include with comments and CRLF": {
    userData: Buffer.from(`#include\r\n# mine\r\n${include}/good\r\n`),
    served: { good: answer(200, good) },
  },
  "includes of which one is not found": including(["good", "gone"], { good: answer(200, good), gone: answer(404, "") }),
  "an include of parts": including(["parts"], { parts: { status: 200, body: parts(good, script).userData } }),
  "an include of gzip": including(["packed"], { packed: { status: 200, body: gzipSync(good) } }),
  "an include once": including(["good"], { good: answer(200, good) }, "#include-once"),
  "an include of a script with CRLF": including(["script"], { script: answer(200, script.replaceAll("\n", "\r\n")) }),
  "an include of a template": including(["template"], {
    template: answer(200, `${jinja}#cloud-config\nruncmd: [echo {{ ds.meta_data.label }} >/opt/b]\n`),
  }),
  "an include in parts that is not found": {
    userData: parts(`#include\n${include}/gone\n`, script).userData,
    served: { gone: answer(404, "") },
  },
};
