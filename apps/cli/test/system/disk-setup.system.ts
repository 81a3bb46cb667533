import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinConfiguration, renderBootstrapDocument } from "@capstan/bootstrap-kubeadm/render";
import { afterAll, describe, expect, it } from "vitest";
import { bootMachine, buildRoot, unavailable } from "./cloud-init-root.ts";

const mebibyte = 1024 * 1024;
const sectorBytes = 512;

/** A block device of its own in a file, as long as the process lives. */
class LoopDevice {
  readonly file: string;
  readonly path: string;

  constructor(file: string, bytes: number) {
    writeFileSync(file, "");
    truncateSync(file, bytes);
    const { error, status, stderr, stdout } = spawnSync("losetup", ["--find", "--show", file], { encoding: "utf8" });
    if (error !== undefined || status !== 0) throw new Error(error?.message ?? stderr.trim());
    this.file = file;
    this.path = stdout.trim();
  }

  /** The partitions of its master boot record, sizes in MiB. */
  partitions(): readonly { readonly type: string; readonly size: number }[] {
    const record = readFileSync(this.file).subarray(446, 510);
    return [0, 16, 32, 48]
      .map((at) => record.subarray(at, at + 16))
      .map((entry) => ({
        type: entry.readUInt8(4).toString(16).padStart(2, "0"),
        size: Math.round((entry.readUInt32LE(12) * sectorBytes) / mebibyte),
      }))
      .filter(({ size }) => size > 0);
  }

  /** The partitions of its table of GUIDs: the first group of the type, and the size in MiB. */
  guidPartitions(): readonly { readonly type: string; readonly size: number }[] {
    const header = readFileSync(this.file).subarray(sectorBytes);
    if (header.toString("latin1", 0, 8) !== "EFI PART") return [];
    const table = header.subarray(sectorBytes);
    return [0, 128, 256, 384]
      .map((at) => table.subarray(at, at + 128))
      .map((entry) => ({
        type: entry.readUInt32LE(0).toString(16).padStart(8, "0"),
        size: Math.round((Number(entry.readBigUInt64LE(40) - entry.readBigUInt64LE(32) + 1n) * sectorBytes) / mebibyte),
      }))
      .filter(({ type }) => type !== "00000000");
  }

  /** The label of the ext4 filesystem that takes all of it. */
  label(): string | undefined {
    const superblock = readFileSync(this.file).subarray(1024, 2048);
    const isExt = superblock.readUInt16LE(0x38) === 0xef53;
    return isExt ? superblock.subarray(0x78, 0x88).toString("latin1").replace(/\0.*$/, "") : undefined;
  }

  detach(): void {
    spawnSync("losetup", ["--detach", this.path]);
  }
}

const folder = mkdtempSync(join(tmpdir(), "capstan-disks-"));

type Disks = readonly [LoopDevice, LoopDevice, LoopDevice];

/** Three disks, or why there are none. */
const openDisks = (): { readonly disks?: Disks; readonly reason?: string } => {
  const reason = unavailable();
  if (reason !== undefined) return { reason };
  const opened: LoopDevice[] = [];
  try {
    for (const name of ["old", "new", "formatted"]) opened.push(new LoopDevice(join(folder, name), 100 * mebibyte));
    const [old, recent, formatted] = opened;
    return { disks: [old!, recent!, formatted!] };
  } catch (error) {
    for (const disk of opened) disk.detach();
    return { reason: `this machine makes no loop devices: ${(error as Error).message}` };
  }
};

const { disks, reason } = openDisks();
if (reason !== undefined) console.log(`disks are not set up by the real cloud-init: ${reason}`);

describe.skipIf(disks === undefined)("disks of a machine, set up by the real cloud-init", () => {
  afterAll(() => {
    for (const disk of disks ?? []) disk.detach();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are partitioned, formatted and mounted as the config says", async () => {
    const [partitioned, byGuid, formatted] = disks!;
    const userData = renderBootstrapDocument({
      spec: {
        // Programs that look at disks ask it, and a throw-away root has none.
        bootCommands: ["mount -t sysfs sysfs /sys"],
        diskSetup: {
          partitions: [
            {
              device: partitioned.path,
              tableType: "mbr",
              overwrite: true,
              diskLayout: [
                { percentage: 30, partitionType: "LinuxSwap" },
                { percentage: 70, partitionType: "Linux" },
              ],
            },
            {
              device: byGuid.path,
              tableType: "gpt",
              overwrite: true,
              diskLayout: [
                { percentage: 40, partitionType: "LVM" },
                { percentage: 60, partitionType: "933AC7E1-2EB4-4F13-B844-0E14E2AEF915" },
              ],
            },
          ],
          filesystems: [
            {
              device: formatted.path,
              filesystem: "ext4",
              label: "data",
              partition: "none",
              overwrite: true,
              extraOpts: ["-E", "lazy_itable_init=1"],
            },
          ],
        },
        mounts: [["LABEL=data", "/var/lib/data", "auto", "noatime"]],
        preKubeadmCommands: ["findmnt --noheadings --output SOURCE,FSTYPE /var/lib/data > /root/mounted"],
      },
      files: [],
      users: [],
      kubeadm: { command: "join", joinConfiguration: joinConfiguration({}, "v1beta4"), controlPlane: false },
    });
    const place = {
      "/etc/cloud/cloud.cfg.d/99-z-disks.cfg": {
        content: "cloud_init_modules: [bootcmd, write-files, disk_setup, mounts, users-groups]\n",
      },
      // cloud-init partitions nothing but disks, which a loop device is not.
      "/usr/local/bin/lsblk": {
        content: '#!/bin/sh\n/usr/bin/lsblk "$@" | sed s/TYPE=\\"loop\\"/TYPE=\\"disk\\"/\n',
        mode: 0o755,
      },
    };
    const metadata = { "instance-id": "i-1", "local-hostname": "orchid-1" };
    const booted = await bootMachine({
      root: buildRoot(),
      userData: Buffer.from(userData),
      metadata,
      files: ["/root/mounted"],
      place,
    });
    expect(partitioned.partitions(), booted.log).toEqual([
      { type: "82", size: expect.closeTo(30, -1) as number },
      { type: "83", size: expect.closeTo(70, -1) as number },
    ]);
    expect(byGuid.guidPartitions(), booted.log).toEqual([
      { type: "e6d6d379", size: expect.closeTo(40, -1) as number },
      { type: "933ac7e1", size: expect.closeTo(60, -1) as number },
    ]);
    expect(formatted.label(), booted.log).toBe("data");
    expect(booted.file("/root/mounted")?.trim().split(/ +/), booted.log).toEqual([formatted.path, "ext4"]);
    expect(booted.calls).toContain("kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml");
  });
});
