import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cloudInitDocument } from "./cloud-init.ts";
import { rootFile } from "./file-entry.ts";
import { sentinelPlaceholder, withSuccessSentinel } from "./success-sentinel.ts";

const read = (document: string) => parse(document, { version: "1.1" }) as Record<string, unknown>;

describe("the cloud-config of a machine", () => {
  it("holds only what there is", () => {
    const command = withSuccessSentinel("install-node");
    expect(cloudInitDocument({ files: [sentinelPlaceholder], commands: ["echo first", command] }))
      .toBe(`## template: jinja
#cloud-config

write_files:
- path: /run/cluster-api/placeholder
  owner: root:root
  permissions: '0640'
  content: |
    keeps the directory of the success sentinel
runcmd:
- echo first
- install-node && echo success > /run/cluster-api/bootstrap-success.complete
`);
    expect(
      read(cloudInitDocument({ files: [], commands: ["a"], ntp: {}, users: [], mounts: [], diskSetup: {} })),
    ).toEqual({
      runcmd: ["a"],
    });
  });

  it("writes a file late that a user owns or a mount would hide", () => {
    const document = cloudInitDocument({
      files: [
        rootFile("/etc/first", "a"),
        { path: "/srv/data/below", content: "b" },
        { path: "/srv/database", content: "c" },
        { path: "/home/ops/key", owner: "ops:root", content: "d" },
        { path: "/etc/group", owner: "root:ops", content: "e" },
      ],
      users: [{ name: "ops" }],
      mounts: [
        ["/dev/sdb", "/srv/data/"],
        ["/dev/sdc", "none", "swap"],
      ],
      commands: [],
    });
    const files = read(document)["write_files"] as { readonly path: string; readonly defer?: boolean }[];
    expect(files.filter(({ defer }) => defer === true).map(({ path }) => path)).toEqual([
      "/srv/data/below",
      "/home/ops/key",
      "/etc/group",
    ]);
  });

  it("has its parts in one order, and the provider's own after them", () => {
    const document = cloudInitDocument({
      more: { zram: { size: "1G" }, apt: { preserve_sources_list: true } },
      mounts: [["LABEL=data", "/srv"]],
      diskSetup: {
        filesystems: [{ device: "/dev/sdb1", filesystem: "ext4" }],
        partitions: [{ device: "/dev/sdb" }],
      },
      users: [{ sshAuthorizedKeys: ["ssh-ed25519 A"], homeDir: "/srv/ops", name: "ops" }],
      ntp: { servers: [], enabled: false },
      bootCommands: ["early"],
      commands: ["late"],
      files: [{ content: "y", path: "/x", encoding: "text/plain" }],
    });
    expect(Object.entries(read(document))).toEqual([
      ["write_files", [{ path: "/x", encoding: "text/plain", content: "y\n" }]],
      ["bootcmd", ["early"]],
      ["runcmd", ["late"]],
      ["ntp", { enabled: false }],
      ["users", [{ name: "ops", homedir: "/srv/ops", ssh_authorized_keys: ["ssh-ed25519 A"] }]],
      ["disk_setup", { "/dev/sdb": { layout: true } }],
      ["fs_setup", [{ filesystem: "ext4", device: "/dev/sdb1" }]],
      ["mounts", [["LABEL=data", "/srv"]]],
      ["zram", { size: "1G" }],
      ["apt", { preserve_sources_list: true }],
    ]);
    expect(document).toContain("- path: /x\n  encoding: text/plain\n  content: |\n    y\n");
  });

  it("is the same text for the same setup, whatever order its fields came in", () => {
    const files = [rootFile("/a", "1"), rootFile("/b", "2", "0600")];
    const user = { name: "ops", sudo: "ALL", gecos: "Ops" };
    const { name, sudo, gecos } = user;
    expect(cloudInitDocument({ commands: ["x"], files, users: [{ gecos, sudo, name }] })).toBe(
      cloudInitDocument({ users: [user], files, commands: ["x"] }),
    );
  });

  it("says of an inactive user what has an effect, and nothing of another", () => {
    const users = [
      { name: "a", inactive: true },
      { name: "b", inactive: false },
    ];
    expect(read(cloudInitDocument({ files: [], commands: [], users }))["users"]).toEqual([
      { name: "a", inactive: "0" },
      { name: "b" },
    ]);
  });

  it("partitions by share, with the types cloud-init knows and those of GPT", () => {
    const guid = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";
    const types = ["Linux", "LinuxSwap", "LinuxRAID", "LVM", "Fat32", "NTFS", "LinuxExtended", guid, "constructor"];
    const diskLayout = [...types.map((partitionType) => ({ percentage: 10, partitionType })), { percentage: 20 }];
    const document = cloudInitDocument({
      files: [],
      commands: [],
      diskSetup: {
        partitions: [
          { device: "/dev/a", diskLayout, tableType: "gpt", overwrite: true },
          { device: "/dev/b", layout: false, overwrite: false },
        ],
      },
    });
    expect(read(document)["disk_setup"]).toEqual({
      "/dev/a": {
        table_type: "gpt",
        layout: [...["83", "82", "fd", "8e", "0c", "07", "85", guid, "constructor"].map((code) => [10, code]), 20],
        overwrite: true,
      },
      "/dev/b": { layout: false, overwrite: false },
    });
  });
});
