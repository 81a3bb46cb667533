import type { Disk } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import { bootSize, devicesToSet, existingDisks, megabytes, wantedDisks } from "./disks.ts";

const base = { region: "us-ord", type: "g6-standard-2", interfaceGeneration: "legacy_config" } as const;
const disk = (id: number, label: string): Disk => ({
  id,
  label,
  status: "ready",
  size: 1,
  filesystem: "ext4",
  created: "",
  updated: "",
});

describe("megabytes", () => {
  it.each([
    ["10Gi", 10_738],
    ["10G", 10_000],
    ["512Mi", 537],
    ["1.5G", 1500],
    [5_000_001, 6],
    ["1Ti", 1_099_512],
  ])("%s is %s", (quantity, expected) => {
    expect(megabytes(quantity)).toBe(expected);
  });

  it.each(["ten", "-1Gi", "1Gb", ""])("refuses %j", (quantity) => {
    expect(() => megabytes(quantity)).toThrow(expect.objectContaining({ code: "linode.disk_size" }));
  });
});

const plan = () => Promise.resolve(81_920);

describe("bootSize", () => {
  it("is the operating system disk's, if given", async () => {
    expect(await bootSize({ ...base, osDisk: { size: "20G" } }, plan)).toBe(20_000);
  });

  it("leaves room for data disks and swap", async () => {
    expect(await bootSize({ ...base, dataDisks: { sdc: { size: "10G" } } }, plan)).toBe(81_920 - 10_000 - 512);
  });

  it("is up to the API without data disks, or when one takes the swap's place", () => {
    expect(bootSize(base, plan)).toBeUndefined();
    expect(bootSize({ ...base, dataDisks: { sdb: { size: "10G" } } }, plan)).toBeUndefined();
  });
});

describe("data disks", () => {
  const wanted = wantedDisks({
    ...base,
    dataDisks: { sdd: { size: "1G", diskID: 9 }, sdc: { size: "1G", label: "etcd", filesystem: "raw" } },
  });

  it("are wanted in the order of their devices, with defaults", () => {
    expect(wanted).toEqual([
      { slot: "sdc", label: "etcd", size: 1000, filesystem: "raw", knownId: undefined },
      { slot: "sdd", label: "sdd", size: 1000, filesystem: "ext4", knownId: 9 },
    ]);
  });

  it("are found by id, or by label as long as that is not known", () => {
    const found = existingDisks(wanted, [disk(1, "boot"), disk(7, "etcd"), disk(8, "sdd")]);
    expect([...found].map(([slot, { id }]) => [slot, id])).toEqual([["sdc", 7]]);
  });
});

describe("devicesToSet", () => {
  const current = { sda: { disk_id: 1 }, sdb: { disk_id: 2 }, sdc: null };

  it("changes nothing when all are in place", () => {
    expect(devicesToSet(current, new Map())).toBeUndefined();
    expect(devicesToSet({ ...current, sdc: { disk_id: 7 } }, new Map([["sdc", disk(7, "etcd")]]))).toBeUndefined();
  });

  it("adds data disks beside the others", () => {
    expect(devicesToSet(current, new Map([["sdc", disk(7, "etcd")]]))).toEqual({
      sda: { disk_id: 1 },
      sdb: { disk_id: 2 },
      sdc: { disk_id: 7 },
    });
  });

  it("moves swap out of the way", () => {
    expect(devicesToSet(current, new Map([["sdb", disk(7, "data")]]))).toEqual({
      sda: { disk_id: 1 },
      sdb: { disk_id: 7 },
      sdc: { disk_id: 2 },
    });
  });
});
