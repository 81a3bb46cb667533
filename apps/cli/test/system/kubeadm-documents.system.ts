import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bootMachine, buildRoot, unavailable } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real cloud-init is skipped: ${reason}`);

interface WrittenFile {
  readonly path: string;
  readonly content: string;
  readonly encoding?: string;
  readonly append?: boolean;
}

const golden = join(import.meta.dirname, "../../../../packages/bootstrap-kubeadm/test/__golden__");
const sentinel = "/run/cluster-api/bootstrap-success.complete";

/** It holds a value for every field of a machine's set-up, among them encodings and partitions that no machine would take. */
const contrived = "documents/init-setup.output.yaml";

/** A command of its user is one of bash, at which the shell of `runcmd` ends: no success may be said. */
const endedBefore = "documents/join-worker-templates.output.yaml";

/** The machines of tests write no files of later, which wait for mounts and users, unless they are asked to. */
const place = {
  "/etc/cloud/cloud.cfg.d/99-z-deferred.cfg": {
    content: "cloud_final_modules: [write-files-deferred, scripts-user]\n",
  },
};

/** Documents that machines get by cloud-init; the others are Ignition's. */
const documents = [...readdirSync(golden), ...readdirSync(join(golden, "documents")).map((name) => `documents/${name}`)]
  .filter((name) => name.endsWith(".yaml") && !name.endsWith(".input.yaml"))
  .map((name) => [name, readFileSync(join(golden, name), "utf8")] as const)
  .filter(([name, text]) => text.includes("#cloud-config") && name !== contrived);

const metadata = { "instance-id": "i-1", "local-hostname": "orchid-1", label: "orchid-1" };

/** With the templates filled in as the machine's metadata says. */
const filledIn = (text: string): string =>
  text
    .replaceAll(/\{\{ ds\.meta_data\.(?:local_hostname|label) \}\}/g, "orchid-1")
    .replaceAll("{{ ds.meta_data.instance_id }}", "i-1")
    .replaceAll("{{ '{#' }}", "{#");

describe.skipIf(reason !== undefined)("kubeadm documents, booted by the real cloud-init", () => {
  let root: string;
  beforeAll(() => {
    root = buildRoot();
  });

  it.each(documents)("%s is valid, writes its files and says what became of kubeadm", async (name, text) => {
    const { write_files: all = [] } = parse(filledIn(text), { version: "1.1" }) as {
      readonly write_files?: readonly WrittenFile[];
    };
    // Paths with spaces are not brought out of the machine.
    const plain = all.filter(
      ({ path, encoding, append }) => encoding === undefined && append !== true && !path.includes(" "),
    );
    const files = [...plain.map(({ path }) => path), sentinel];
    const booted = await bootMachine({ root, userData: Buffer.from(text), metadata, files, place });
    expect(booted.schema, booted.log).toMatch(/Valid (cloud-config|schema)/);
    expect(booted.schema).not.toMatch(/invalid|error|deprecat/i);
    for (const { path, content } of plain) expect([path, booted.file(path)]).toEqual([path, content]);
    const reached = name !== endedBefore;
    const calls = booted.calls.filter((call) => call.startsWith("kubeadm "));
    expect(calls, booted.log).toHaveLength(reached ? 1 : 0);
    expect(booted.file(sentinel)).toBe(reached ? "success\n" : undefined);
  });
});
