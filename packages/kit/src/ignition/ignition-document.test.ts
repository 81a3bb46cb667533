import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { MachineSetup } from "../bootstrap/machine-setup.ts";
import { encodedFile, rootFile } from "../bootstrap/file-entry.ts";
import { ignitionDocument, packedIgnition } from "./ignition-document.ts";
import { scriptUnit } from "./systemd.ts";
import { translateConfig } from "./translate-config.ts";

const run = {
  script: { path: "/etc/install.sh", owner: "root:root", permissions: "0700" },
  header: "#!/bin/bash\nset -e",
  unit: {
    name: "install.service",
    contents: scriptUnit({
      description: "Installs",
      condition: "!/etc/done",
      wants: "network-online.target",
      after: "network-online.target",
      command: "/etc/install.sh",
    }),
  },
};

const setup: MachineSetup = {
  files: [
    rootFile("/etc/a", "one\ntwo {{ as it is }} 100 %"),
    { path: "/etc/b", owner: "500:ops", content: Buffer.from("binary\0").toString("base64"), encoding: "base64" },
    encodedFile({ path: "/etc/c" }, "packed", "gzip+base64"),
    { path: "/etc/list", content: "1", append: true },
    { path: "/etc/list", content: "2", append: true },
    rootFile("/etc/a", "the last one counts", "0600"),
  ],
  commands: ["first", "second && third"],
  ntp: { servers: ["time.example"] },
  users: [
    { name: "ops", groups: "wheel, docker", sudo: "ALL=(ALL) NOPASSWD:ALL", lockPassword: false, passwd: "$6$x" },
    {
      name: "web",
      sshAuthorizedKeys: ["ssh-ed25519 A"],
      homeDir: "/srv/web",
      primaryGroup: "web",
      shell: "/bin/sh",
      gecos: "Web",
    },
  ],
  diskSetup: {
    partitions: [
      { device: "/dev/sdb", layout: true, overwrite: true, tableType: "gpt" },
      { device: "/dev/sdc", layout: false },
    ],
    filesystems: [
      { device: "/dev/sdb1", filesystem: "ext4", label: "etcd_disk", overwrite: true, extraOpts: ["-E", "nodiscard"] },
    ],
  },
  mounts: [
    ["etcd_disk", "/var/lib/etcd-data"],
    ["LABEL=logs", "/var/log", "xfs", "noatime"],
    ["/dev/sdd", "none", "swap"],
  ],
};

const golden = (name: string): string =>
  new URL(`../../test/__golden__/ignition-documents/${name}.json`, import.meta.url).pathname;

const linesOf = (_: string, value: unknown): unknown => {
  if (typeof value !== "string" || !value.startsWith("data:")) return value;
  const [, encoded] = /^data:;base64,(.*)$/.exec(value) ?? [];
  const text =
    encoded === undefined
      ? decodeURIComponent(value.slice("data:,".length))
      : Buffer.from(encoded, "base64").toString("latin1");
  return text.split("\n");
};

/** Contents of files as people read them. */
const readable = (document: string): string => `${JSON.stringify(JSON.parse(document), linesOf, 2)}\n`;

describe("the Ignition config of a machine", () => {
  it.each([2, 3] as const)("in version %d has all of the setup", async (major) => {
    const document = ignitionDocument(setup, { run, major });
    await expect(readable(document)).toMatchFileSnapshot(golden(`version-${major}`));
    expect(ignitionDocument(structuredClone(setup), { run, major })).toBe(document);
  });

  it.each([
    [
      "container-linux",
      "storage: {files: [{path: /etc/a, append: true, contents: {inline: more}}]}\nsystemd: {units: [{name: install.service, dropins: [{name: 10-more.conf, contents: x}]}]}\n",
    ],
    [
      "butane",
      "variant: fcos\nversion: 1.5.0\nstorage: {files: [{path: /etc/a, overwrite: true, contents: {inline: instead}}, {path: /etc/new}]}\nsystemd: {units: [{name: install.service, dropins: [{name: 10-more.conf, contents: x}]}]}\npasswd: {users: [{name: ops, ssh_authorized_keys: [k]}]}\n",
    ],
  ])("has more from %s, which decides about the version", async (name, text) => {
    const document = ignitionDocument(setup, { run, additional: translateConfig(text) });
    await expect(readable(document)).toMatchFileSnapshot(golden(name));
  });

  it("is small without anything", () => {
    expect(JSON.parse(ignitionDocument({ files: [], commands: [] }, { run }))).toEqual({
      ignition: { version: "3.3.0" },
      storage: {
        files: [
          {
            path: "/etc/install.sh",
            user: { name: "root" },
            group: { name: "root" },
            mode: 0o700,
            overwrite: true,
            contents: { source: "data:,%23!%2Fbin%2Fbash%0Aset%20-e%0A" },
          },
        ],
      },
      systemd: { units: [{ name: "install.service", enabled: true, contents: run.unit.contents }] },
    });
  });

  it.each<[string, Partial<MachineSetup>, string]>([
    ["commands at every boot", { bootCommands: ["x"] }, "bootCommands: "],
    ["sections of cloud-init", { more: { zram: {} } }, "zram: "],
    ["inactive users", { users: [{ name: "a", inactive: true }] }, "users[0].inactive: "],
    [
      "other tables",
      { diskSetup: { partitions: [{ device: "/d", tableType: "mbr" }] } },
      "diskSetup.partitions[0].tableType: ",
    ],
    [
      "shares of disks",
      { diskSetup: { partitions: [{ device: "/d", diskLayout: [{ percentage: 50 }] }] } },
      "diskSetup.partitions[0].diskLayout: ",
    ],
    [
      "partitions by name",
      { diskSetup: { filesystems: [{ device: "/d", filesystem: "ext4", partition: "auto" }] } },
      "diskSetup.filesystems[0].partition: ",
    ],
    [
      "conditions of file systems",
      { diskSetup: { filesystems: [{ device: "/d", filesystem: "ext4", replaceFS: "ntfs" }] } },
      "diskSetup.filesystems[0].replaceFS: ",
    ],
  ])("refuses %s by name", (_, parts, message) => {
    expect(() => ignitionDocument({ files: [], commands: [], ...parts }, { run })).toThrow(
      expect.objectContaining({
        code: "bootstrap.ignition_unsupported",
        message: expect.stringContaining(message) as unknown,
      }),
    );
  });

  it.each([2, 3] as const)(
    "in version %d does nothing that a setting switches off, and names units as systemd does",
    (major) => {
      const quiet: MachineSetup = {
        files: [],
        commands: [],
        ntp: { enabled: false, servers: ["time.example"] },
        diskSetup: {
          partitions: [{ device: "/dev/sdb", layout: false }],
          // Nothing is said of what is there already.
          filesystems: [{ device: "/dev/sdb", filesystem: "ext4" }],
        },
        mounts: [["/dev/sdb", "/var/lib/etcd-data"]],
      };
      const { storage, systemd } = JSON.parse(ignitionDocument(quiet, { run, major })) as {
        readonly storage: {
          readonly disks: unknown;
          readonly filesystems: readonly object[];
          readonly files: object[];
        };
        readonly systemd: { readonly units: readonly { readonly name: string }[] };
      };
      expect(storage.disks).toEqual([{ device: "/dev/sdb" }]);
      expect(JSON.stringify(storage.filesystems)).not.toContain("wipe");
      expect(storage.files).toHaveLength(1);
      expect(systemd.units.map(({ name }) => name)).toEqual(["install.service", "var-lib-etcd\\x2ddata.mount"]);
    },
  );

  it("is packed into a config of its own version", () => {
    const document = ignitionDocument(setup, { run, major: 2 });
    const packed = JSON.parse(packedIgnition(document)) as {
      readonly ignition: {
        readonly version: string;
        readonly config: { readonly replace: { readonly compression: string; readonly source: string } };
      };
    };
    const { compression, source } = packed.ignition.config.replace;
    expect([packed.ignition.version, compression]).toEqual(["2.3.0", "gzip"]);
    expect(gunzipSync(Buffer.from(source.replace("data:text/plain;base64,", ""), "base64")).toString()).toBe(document);
    expect(packedIgnition(document)).toBe(packedIgnition(document));
  });
});
