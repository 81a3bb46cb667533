import { expect, it } from "vitest";
import type { MachineSpec } from "./machine-defaults.ts";
import { defaultedMachine } from "./machine-defaults.ts";

const spec = (more: Partial<MachineSpec> = {}): MachineSpec => ({
  vmSize: "Standard_D2s_v3",
  identity: "None",
  osDisk: { osType: "Linux", cachingType: "None" },
  ...more,
});

const disk = (nameSuffix: string, lun?: number) => ({ nameSuffix, diskSizeGB: 8, ...(lun !== undefined && { lun }) });

it("gives disks the lowest numbers that are free", () => {
  const { dataDisks } = defaultedMachine(spec({ dataDisks: [disk("a"), disk("b", 0), disk("c"), disk("d", 2)] }));
  expect(dataDisks.map(({ lun }) => lun)).toEqual([1, 0, 3, 2]);
});

it("does not cache ultra disks", () => {
  const ultra = { ...disk("a"), managedDisk: { storageAccountType: "UltraSSD_LRS" } };
  const { dataDisks } = defaultedMachine(spec({ dataDisks: [ultra, disk("b")] }));
  expect(dataDisks.map(({ cachingType }) => cachingType)).toEqual(["None", "ReadWrite"]);
});

it("puts the older fields of one interface among the interfaces", () => {
  const { networkInterfaces, ...others } = defaultedMachine(spec({ subnetName: "nodes", acceleratedNetworking: true }));
  expect(networkInterfaces).toEqual([{ subnetName: "nodes", acceleratedNetworking: true, privateIPConfigs: 1 }]);
  expect(others).not.toHaveProperty("subnetName");
});

it("takes the older fields when they are said again, and keeps them for a refusal when they say something else", () => {
  const stored = defaultedMachine(spec({ subnetName: "nodes", acceleratedNetworking: true }));
  expect(defaultedMachine({ ...stored, subnetName: "nodes", acceleratedNetworking: true })).toEqual(stored);
  expect(defaultedMachine({ ...stored, subnetName: "others" })).toMatchObject({ subnetName: "others" });
});

it.each([
  [{ option: "Local" as const }, "Delete"],
  [undefined, "Deallocate"],
])("evicts machines whose disk is %j by %s", (diffDiskSettings, expected) => {
  const osDisk = { osType: "Linux", cachingType: "None" as const, ...(diffDiskSettings && { diffDiskSettings }) };
  expect(defaultedMachine(spec({ osDisk, spotVMOptions: {} })).spotVMOptions?.evictionPolicy).toBe(expected);
});

it("changes nothing the second time", () => {
  const once = defaultedMachine(spec({ dataDisks: [disk("a"), disk("b")], spotVMOptions: {}, subnetName: "nodes" }));
  expect(defaultedMachine(once)).toEqual(once);
});
