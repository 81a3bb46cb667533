import { gzipSync } from "node:zlib";
import { stringify } from "yaml";
import type { BadUserData } from "./bad-user-data-cases.ts";

const document = (config: object): BadUserData => ({ userData: Buffer.from(`#cloud-config\n${stringify(config)}`) });

/** As it is written, for values that YAML reads in its own way. */
const written = (text: string): BadUserData => ({ userData: Buffer.from(`#cloud-config\n${text}`) });

/** Writes a file with further fields, and says whose it is and who may do what with it. */
const filed = (fields: string): BadUserData =>
  written(
    `write_files:\n- {path: /opt/a, content: one, ${fields}}\n- {path: /opt/b, content: two}\nruncmd:\n- stat -c '%a %U:%G' /opt/a >/opt/c\n`,
  );

const file = (...entries: readonly object[]): BadUserData => document({ write_files: entries });

const commands = (...runcmd: readonly unknown[]): BadUserData => document({ runcmd });

const rendered = (expression: string): BadUserData => ({
  userData: Buffer.from(`## template: jinja\n#cloud-config\nruncmd:\n- echo '{{ ${expression} }}' >/opt/a\n`),
});

const base64 = Buffer.from("secret\n").toString("base64");
const gzip = gzipSync("packed\n").toString("base64");

/** What modules make of values that people give them. */
export const moduleCases: Readonly<Record<string, BadUserData>> = {
  "permissions in octal": filed("permissions: 0600"),
  "permissions in quotes": filed("permissions: '0640'"),
  "permissions without a zero": filed("permissions: 644"),
  "permissions without a zero, in quotes": filed("permissions: '755'"),
  "permissions in the words of chmod": filed("permissions: 'u+x'"),
  "permissions in new octal": filed("permissions: '0o755'"),
  "permissions of nothing": filed("permissions: null"),
  "permissions of yes": filed("permissions: yes"),
  "a group of its own": filed("owner: 'root:daemon'"),
  "an owner without a group": filed("owner: nobody"),
  "a group without an owner": filed("owner: ':daemon'"),
  "an empty owner": filed("owner: ''"),
  "an owner that is a number": filed("owner: 0"),
  "a group that is not there": filed("owner: 'root:nothing'"),
  "more of a file": file({ path: "/opt/a", content: "one\n" }, { path: "/opt/a", content: "two\n", append: true }),
  "more of a file that is not there": file({ path: "/opt/a", content: "two\n", append: true }),
  "more of a file, in quotes": file(
    { path: "/opt/a", content: "one\n" },
    { path: "/opt/a", content: "two\n", append: "true" },
  ),
  "more of a file, by a number": file(
    { path: "/opt/a", content: "one\n" },
    { path: "/opt/a", content: "two\n", append: 1 },
  ),
  "no more of a file, in quotes": file(
    { path: "/opt/a", content: "one\n" },
    { path: "/opt/a", content: "two\n", append: "no" },
  ),
  "a file twice": file({ path: "/opt/a", content: "one\n" }, { path: "/opt/a", content: "two\n" }),
  "a file in base64": file({ path: "/opt/a", content: base64, encoding: "b64" }),
  "a file in base64, by its whole name": file({ path: "/opt/a", content: base64, encoding: "BASE64 " }),
  "a packed file": file({ path: "/opt/a", content: gzip, encoding: "gz+b64" }),
  "a packed file, by its whole names": file({ path: "/opt/a", content: gzip, encoding: "gzip+base64" }),
  "a plain file": file({ path: "/opt/a", content: "one", encoding: "text/plain" }),
  "a file in an encoding that there is not": file({ path: "/opt/a", content: "one", encoding: "rot13" }),
  "a file of a number": written("write_files:\n- {path: /opt/a, content: 5}\n- {path: /opt/b, content: two}\n"),
  "a file of nothing": written("write_files:\n- {path: /opt/a}\n- {path: /opt/b, content: two}\n"),
  "a file below others": file({ path: "/opt/deep/er/a", content: "one" }, { path: "/opt/b", content: "two" }),
  "a relative file": file({ path: "opt/a", content: "one" }, { path: "/opt/b", content: "two" }),
  "a file for later": document({
    write_files: [{ path: "/opt/a", content: "late", defer: true }],
    bootcmd: ["test -e /opt/a && echo early >/opt/b"],
    runcmd: ["cat /opt/a >/opt/c"],
  }),
  "a file for later, in quotes": file({ path: "/opt/a", content: "late", defer: "yes" }),
  "a file for later of a user of the document": document({
    users: [{ name: "keeper" }],
    write_files: [
      { path: "/opt/a", content: "late", owner: "keeper:keeper", defer: true },
      { path: "/opt/b", content: "early" },
    ],
    runcmd: ["stat -c '%U:%G' /opt/a >/opt/c"],
  }),
  "a file of a user of the document": document({
    users: [{ name: "holder" }],
    write_files: [
      { path: "/opt/a", content: "one", owner: "holder:holder" },
      { path: "/opt/b", content: "two" },
    ],
    runcmd: ["echo three >/opt/c"],
  }),
  "users by their names alone": document({
    users: ["default", "plain"],
    runcmd: ["id -un plain >/opt/a; getent passwd plain | cut -d: -f6 >/opt/b"],
  }),
  "early commands in their order": document({
    bootcmd: ["echo one >/opt/a", ["sh", "-c", "echo two >>/opt/a"], "false", "echo three >>/opt/a"],
    write_files: [{ path: "/opt/b", content: "written" }],
    runcmd: ["cat /opt/a /opt/b >/opt/c"],
  }),
  "early commands that are one text": document({ bootcmd: "echo one >/opt/a", runcmd: ["echo two >/opt/b"] }),
  "early commands with the instance": document({ bootcmd: ["echo $INSTANCE_ID >/opt/a"] }),
  "commands in one shell": commands("cd /opt", "X=1; export X", "echo $X >a", "exit 3", "echo never >b"),
  "commands after one that failed": commands("none-such", "echo on >/opt/a"),
  "commands that stop": commands("set -e", "false", "echo never >/opt/a"),
  "a command in words": commands(["sh", "-c", 'echo "$0 $1" >/opt/a', "it's", "a  b"], ["touch", "/opt/b c"]),
  "a command in words with numbers": commands(["sh", "-c", 'echo "$0 $1" >/opt/a', 7, true]),
  "a command of several lines": commands("if true\nthen\n  echo yes >/opt/a\nfi\n"),
  "the name of the machine": rendered("v1.local_hostname"),
  "the id of the machine": rendered("v1.instance_id"),
  "the id of the machine by its old name": rendered("instance_id"),
  "the label of the machine": rendered("ds.meta_data.label"),
  "the metadata of the machine by brackets": rendered("ds['meta_data']['local-hostname']"),
  "what the machine does not know": rendered("ds.meta_data.nothing"),
};
