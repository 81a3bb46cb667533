import { describe, expect, it } from "vitest";
import type { MachineSpec } from "./machine-defaults.ts";
import { defaultedMachine } from "./machine-defaults.ts";
import type { VmFacts } from "./vm-body.ts";
import { vmBody } from "./vm-body.ts";

const facts: VmFacts = {
  name: "m",
  location: "westeurope",
  tags: { a: "b" },
  zone: undefined,
  sku: { capabilities: {} },
  customData: "ZGF0YQ==",
  networkInterfaces: ["/nic-0", "/nic-1"],
  availabilitySet: undefined,
  image: { version: "v1.34.1", windowsServerVersion: undefined },
  sshKey: "ssh-rsa AAAA",
  adminPassword: "secret",
};

const body = (spec: Partial<MachineSpec> = {}, more: Partial<VmFacts> = {}) =>
  vmBody(
    defaultedMachine({
      vmSize: "Standard_D2s_v3",
      identity: "None",
      osDisk: { osType: "Linux", cachingType: "None" },
      ...spec,
    }),
    { ...facts, ...more },
  );

it("says what a small Linux machine needs, and nothing else", () => {
  expect(body()).toEqual({
    location: "westeurope",
    tags: { a: "b" },
    properties: {
      hardwareProfile: { vmSize: "Standard_D2s_v3" },
      storageProfile: {
        imageReference: { communityGalleryImageId: expect.stringContaining("/Versions/1.34.1") as string },
        osDisk: { name: "m_OSDisk", osType: "Linux", createOption: "FromImage", caching: "None" },
      },
      osProfile: {
        computerName: "m",
        adminUsername: "capi",
        customData: "ZGF0YQ==",
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: { publicKeys: [{ path: "/home/capi/.ssh/authorized_keys", keyData: "ssh-rsa AAAA" }] },
        },
      },
      networkProfile: {
        networkInterfaces: [
          { id: "/nic-0", properties: { primary: true } },
          { id: "/nic-1", properties: { primary: false } },
        ],
      },
      diagnosticsProfile: { bootDiagnostics: { enabled: true } },
    },
  });
});

describe("what a spec asks for beside", () => {
  it.each<[string, Partial<MachineSpec>, object]>([
    [
      "spot",
      { spotVMOptions: { maxPrice: "0.5" } },
      { priority: "Spot", evictionPolicy: "Deallocate", billingProfile: { maxPrice: 0.5 } },
    ],
    ["no extensions", { disableExtensionOperations: true }, { osProfile: { allowExtensionOperations: false } }],
    [
      "no boot diagnostics",
      { diagnostics: { boot: { storageAccountType: "Disabled" } } },
      { diagnosticsProfile: { bootDiagnostics: { enabled: false } } },
    ],
    [
      "boot diagnostics of one's own",
      { diagnostics: { boot: { storageAccountType: "UserManaged", userManaged: { storageAccountURI: "https://x" } } } },
      { diagnosticsProfile: { bootDiagnostics: { enabled: true, storageUri: "https://x" } } },
    ],
    ["a scale set", { virtualMachineScaleSetID: "/vmss" }, { virtualMachineScaleSet: { id: "/vmss" } }],
    [
      "reserved capacity",
      { capacityReservationGroupID: "/crg" },
      { capacityReservation: { capacityReservationGroup: { id: "/crg" } } },
    ],
    [
      "reserved capacity and a scale set, named as provider ids are",
      { capacityReservationGroupID: "azure:///crg", virtualMachineScaleSetID: "azure:///vmss" },
      {
        capacityReservation: { capacityReservationGroup: { id: "/crg" } },
        virtualMachineScaleSet: { id: "/vmss" },
      },
    ],
    [
      "a disk with keys of one's own",
      {
        osDisk: {
          osType: "Linux",
          cachingType: "None",
          diskSizeGB: 64,
          managedDisk: { storageAccountType: "Premium_LRS", diskEncryptionSet: { id: "/des" } },
        },
      },
      {
        storageProfile: {
          osDisk: {
            diskSizeGB: 64,
            managedDisk: { storageAccountType: "Premium_LRS", diskEncryptionSet: { id: "/des" } },
          },
        },
      },
    ],
    [
      "a confidential machine",
      {
        osDisk: {
          osType: "Linux",
          cachingType: "None",
          managedDisk: {
            storageAccountType: "Premium_LRS",
            securityProfile: {
              securityEncryptionType: "DiskWithVMGuestState",
              diskEncryptionSet: { id: "/des" },
            },
          },
        },
        securityProfile: {
          securityType: "ConfidentialVM",
          uefiSettings: { vTpmEnabled: true, secureBootEnabled: true },
        },
      },
      {
        storageProfile: {
          osDisk: {
            managedDisk: {
              securityProfile: {
                securityEncryptionType: "DiskWithVMGuestState",
                diskEncryptionSet: { id: "/des" },
              },
            },
          },
        },
        securityProfile: {
          securityType: "ConfidentialVM",
          uefiSettings: { vTpmEnabled: true, secureBootEnabled: true },
        },
      },
    ],
    [
      "encryption at the host",
      { securityProfile: { encryptionAtHost: true } },
      { securityProfile: { encryptionAtHost: true } },
    ],
    [
      "further disks",
      {
        dataDisks: [{ nameSuffix: "data", diskSizeGB: 8, lun: 3, managedDisk: { storageAccountType: "Standard_LRS" } }],
      },
      {
        storageProfile: {
          dataDisks: [
            {
              name: "m_data",
              createOption: "Empty",
              lun: 3,
              diskSizeGB: 8,
              caching: "ReadWrite",
              managedDisk: { storageAccountType: "Standard_LRS" },
            },
          ],
        },
      },
    ],
    [
      "trusted launch",
      { securityProfile: { securityType: "TrustedLaunch", uefiSettings: { vTpmEnabled: true } } },
      { securityProfile: { securityType: "TrustedLaunch", uefiSettings: { vTpmEnabled: true } } },
    ],
    [
      "an ephemeral disk",
      { osDisk: { osType: "Linux", cachingType: "ReadOnly", diffDiskSettings: { option: "Local" } } },
      { storageProfile: { osDisk: { caching: "ReadOnly", diffDiskSettings: { option: "Local" } } } },
    ],
  ])("%s", (_, spec, expected) => {
    expect(body(spec)).toMatchObject({ properties: expected });
  });

  const ultra = [{ nameSuffix: "u", diskSizeGB: 8, managedDisk: { storageAccountType: "UltraSSD_LRS" } }];
  it.each<[Partial<MachineSpec>, object | undefined]>([
    [{ dataDisks: ultra }, { ultraSSDEnabled: true }],
    [{ dataDisks: ultra, additionalCapabilities: { ultraSSDEnabled: false } }, { ultraSSDEnabled: false }],
    [{ additionalCapabilities: { ultraSSDEnabled: true } }, { ultraSSDEnabled: true }],
    [{}, undefined],
  ])("ultra disks of %j", (spec, expected) => {
    expect((body(spec)["properties"] as Record<string, unknown>)["additionalCapabilities"]).toEqual(expected);
  });

  it("zones, availability sets and identities", () => {
    const identities = [{ providerID: "azure:///subscriptions/s/x" }];
    expect(
      body({ identity: "UserAssigned", userAssignedIdentities: identities }, { zone: "2", availabilitySet: "/as" }),
    ).toMatchObject({
      zones: ["2"],
      identity: { type: "UserAssigned", userAssignedIdentities: { "/subscriptions/s/x": {} } },
      properties: { availabilitySet: { id: "/as" } },
    });
  });

  it("Windows", () => {
    const { properties } = body({ osDisk: { osType: "Windows", cachingType: "None" } }) as {
      readonly properties: object;
    };
    expect(properties).toMatchObject({
      osProfile: { adminPassword: "secret", windowsConfiguration: { enableAutomaticUpdates: false } },
    });
    expect(properties).not.toHaveProperty("osProfile.linuxConfiguration");
  });
});

it("has an identity of its own, and the plan of its image", () => {
  const plan = { publisher: "p", offer: "o", sku: "s" };
  expect(
    body({
      identity: "SystemAssigned",
      image: { marketplace: { ...plan, version: "latest", thirdPartyImage: true } },
    }),
  ).toMatchObject({
    identity: { type: "SystemAssigned" },
    plan: { publisher: "p", product: "o", name: "s" },
    properties: { storageProfile: { imageReference: { ...plan, version: "latest" } } },
  });
});

it("names nothing that the spec names by an empty text", () => {
  const { properties } = body({ capacityReservationGroupID: "", virtualMachineScaleSetID: "" });
  expect(properties).not.toHaveProperty("capacityReservation");
  expect(properties).not.toHaveProperty("virtualMachineScaleSet");
});

it("is in the edge zone of its cluster", () => {
  const extendedLocation = { name: "losangeles", type: "EdgeZone" } as const;
  expect(body({}, { extendedLocation })).toMatchObject({ location: "westeurope", extendedLocation });
  expect(body()).not.toHaveProperty("extendedLocation");
});

it("has an ephemeral disk with the only caching that Azure has for such", () => {
  const diffDiskSettings = { option: "Local", placement: "CacheDisk" } as const;
  expect(body({ osDisk: { osType: "Linux", cachingType: "None", diffDiskSettings } })).toMatchObject({
    properties: { storageProfile: { osDisk: { caching: "ReadOnly", diffDiskSettings } } },
  });
});

it("has a highest price as a plain number", () => {
  expect(body({ spotVMOptions: { maxPrice: "500m" } })).toMatchObject({
    properties: { billingProfile: { maxPrice: 0.5 } },
  });
});
