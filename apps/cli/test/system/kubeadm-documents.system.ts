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

/** It holds a value for every field of a machine's set-up, and commands that no machine would take. */
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
    .replaceAll(/\{\{ '(\{[{%#])' \}\}/g, "$1");

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

  it("every field of a machine's set-up has its effect", async () => {
    const files = ["/etc/motd", "/etc/large", "/etc/packed", "/etc/zipped", "/etc/empty", "/etc/script"];
    const accounts = ["/etc/passwd", "/etc/shadow", "/etc/group", "/etc/fstab", "/srv/ops/.ssh/authorized_keys"];
    const modules = {
      "/etc/cloud/cloud.cfg.d/99-z-mounts.cfg": {
        content: "cloud_init_modules: [bootcmd, write-files, mounts, users-groups]\n",
      },
    };
    const userData = readFileSync(join(golden, contrived));
    const wanted = [...files, ...accounts, sentinel];
    const booted = await bootMachine({ root, userData, metadata, files: wanted, place: modules });
    // cloud-init takes types of partitions and numbers of them, as a text, though its schema has neither.
    const complaints = booted.schema.match(/[a-z_]+(?:\.[\w/]+)+: .*? is not valid/g) ?? [];
    expect(complaints, booted.schema).toEqual([
      expect.stringContaining("disk_setup./dev/sdd.layout: "),
      expect.stringContaining("fs_setup.0.partition: '1'"),
    ]);
    expect(
      files.map((path) => booted.file(path)),
      booted.log,
    ).toEqual(["hello # there: orchid-1\n", "first line\n  second line\n", "hello", "zipped\n", "", "  indented\n"]);
    const linesOf = (path: string, begin: string): readonly string[] =>
      (booted.file(path) ?? "").split("\n").filter((line) => line.startsWith(begin));
    expect(linesOf("/etc/passwd", "ops:")).toEqual([
      expect.stringMatching(/^ops:x:\d+:50:Ops # on call:\/srv\/ops:\/bin\/bash$/),
    ]);
    expect(linesOf("/etc/shadow", "ops:")).toEqual([expect.stringMatching(/^ops:\$6\$salt\$hash:/)]);
    // Locked, and disabled when the password expires.
    expect(linesOf("/etc/shadow", "plain:")).toEqual([expect.stringMatching(/^plain:!\$6\$x\$y:\d+:0:99999:7:0::$/)]);
    expect(linesOf("/etc/group", "adm:")).toEqual([expect.stringMatching(/[:,]ops(?:,|$)/)]);
    expect(booted.file("/srv/ops/.ssh/authorized_keys")).toContain("ssh-ed25519 BBBB ops@elsewhere\n");
    expect(linesOf("/etc/fstab", "LABEL=data\t/var/lib/data")).toHaveLength(1);
    expect(linesOf("/etc/fstab", "/dev/sdc\t/srv\tauto\tdefaults,nofail")).toHaveLength(1);
    expect(booted.calls).toEqual([
      "hostnamectl set-hostname orchid-1",
      "kubeadm init --config /run/kubeadm/kubeadm.yaml",
    ]);
    expect(booted.file(sentinel)).toBe("success\n");
  });
});
