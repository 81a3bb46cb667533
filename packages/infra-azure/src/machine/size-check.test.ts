import { expect, it } from "vitest";
import type { VirtualMachineSku } from "../cloud/skus.ts";
import type { MachineSpec } from "./machine-defaults.ts";
import { defaultedMachine } from "./machine-defaults.ts";
import { sizeProblem } from "./size-check.ts";

const plain: VirtualMachineSku = {
  type: "virtualMachines",
  name: "Standard_D2s_v3",
  zones: ["1", "2"],
  ultraZones: ["1"],
  isRestricted: false,
  capabilities: { vCPUs: "2", MemoryGB: "8", TrustedLaunchDisabled: "True" },
};
const able = {
  ...plain,
  capabilities: {
    vCPUs: "2",
    MemoryGB: "8",
    EphemeralOSDiskSupported: "True",
    EncryptionAtHostSupported: "True",
    AcceleratedNetworkingEnabled: "True",
    ConfidentialComputingType: "SNP",
  },
};

const osDisk = { osType: "Linux", cachingType: "None" } as const;
const ultra = { nameSuffix: "u", diskSizeGB: 8, managedDisk: { storageAccountType: "UltraSSD_LRS" } };

const problem = (
  sku: VirtualMachineSku | undefined,
  more: Partial<MachineSpec> = {},
  zone?: string,
  environment = "AzurePublicCloud",
) => {
  const spec = defaultedMachine({ vmSize: "Standard_D2s_v3", identity: "None", osDisk, ...more });
  return sizeProblem(sku, { environment, location: "westeurope", spec, zone });
};

it.each<[Partial<MachineSpec>, string]>([
  [{ osDisk: { ...osDisk, diffDiskSettings: { option: "Local" } } }, "spec.osDisk.diffDiskSettings"],
  [{ securityProfile: { encryptionAtHost: true } }, "spec.securityProfile.encryptionAtHost"],
  [{ securityProfile: { securityType: "ConfidentialVM" } }, "spec.securityProfile.securityType"],
  [{ securityProfile: { securityType: "TrustedLaunch" } }, "spec.securityProfile.securityType"],
  [{ networkInterfaces: [{}, { acceleratedNetworking: true }] }, "spec.networkInterfaces[1].acceleratedNetworking"],
])("a size that cannot do %j is refused by the name of the field", (more, field) => {
  expect(problem(plain, more)).toContain(field);
  expect(problem(able, more)).toBeUndefined();
});

const image = { id: "/image" };
it.each<[Partial<MachineSpec>, RegExp | undefined]>([
  [{ image }, undefined],
  [{}, /^spec\.image: Azure Stack has no community gallery/],
  [{ image, spotVMOptions: {} }, /^spec\.spotVMOptions: Azure Stack has no spot instances/],
  [{ image, securityProfile: { encryptionAtHost: true } }, /^spec\.securityProfile: Azure Stack has no confidential/],
  [{ image, capacityReservationGroupID: "/g" }, /^spec\.capacityReservationGroupID: Azure Stack has no capacity/],
  [
    { image, diagnostics: { boot: { storageAccountType: "Managed" } } },
    /user-managed storage accounts for boot diagnostics/,
  ],
])("Azure Stack makes a machine with %j, or refuses the field: %s", (more, expected) => {
  const found = problem(able, more, undefined, "AzureStackCloud");
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(expected);
});

it("ultra disks are in some zones only", () => {
  expect(problem(plain, { dataDisks: [ultra] }, "1")).toBeUndefined();
  expect(problem(plain, { dataDisks: [ultra] }, "2")).toContain("no ultra disks in zone 2 of westeurope");
  expect(problem(plain, { additionalCapabilities: { ultraSSDEnabled: true } }, "2")).toContain("zone 2");
  expect(
    problem(plain, { dataDisks: [ultra], additionalCapabilities: { ultraSSDEnabled: false } }, "2"),
  ).toBeUndefined();
});

it.each<[VirtualMachineSku | undefined, string | undefined]>([
  [undefined, "does not exist in westeurope"],
  [{ ...plain, isRestricted: true }, "is not available to this subscription in westeurope"],
  [{ ...plain, capabilities: { vCPUs: "1", MemoryGB: "8" } }, "has 1 processors and 8 GiB"],
  [{ ...plain, capabilities: { vCPUs: "2", MemoryGB: "1.75" } }, "has 2 processors and 1.75 GiB"],
  [plain, undefined],
])("a size of %j is judged by itself: %s", (sku, words) => {
  if (words === undefined) expect(problem(sku)).toBeUndefined();
  else expect(problem(sku)).toContain(words);
});
