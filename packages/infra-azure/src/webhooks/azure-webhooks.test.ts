import { describe, expect, it } from "vitest";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { identityCauses } from "./identity-causes.ts";
import { machineCauses, machineChanges } from "./machine-causes.ts";

type MachineSpec = NonNullable<AzureMachine["spec"]>;

const machine = (more: Partial<MachineSpec> = {}): MachineSpec => ({
  vmSize: "Standard_D2s_v3",
  identity: "None",
  osDisk: { osType: "Linux", cachingType: "None" },
  ...more,
});
const osDisk = (more: object): MachineSpec => machine({ osDisk: { osType: "Linux", cachingType: "None", ...more } });
const disk = (more: object = {}) => ({ nameSuffix: "a", diskSizeGB: 8, ...more });
const confidential = (
  encryption: "VMGuestStateOnly" | "DiskWithVMGuestState",
  securityProfile: NonNullable<MachineSpec["securityProfile"]>,
): MachineSpec => ({
  ...osDisk({
    managedDisk: { storageAccountType: "Premium_LRS", securityProfile: { securityEncryptionType: encryption } },
  }),
  securityProfile,
});
const secure = {
  securityType: "ConfidentialVM",
  uefiSettings: { vTpmEnabled: true, secureBootEnabled: true },
} as const;

const id = "11111111-2222-3333-4444-555555555555";
const own = { identity: "SystemAssigned" } as const;
const compute = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute";

describe("an AzureMachine", () => {
  const fields = (spec: MachineSpec) => machineCauses(defaultedMachine(spec)).map(({ field }) => field);

  it.each<[string, MachineSpec]>([
    ["with what is required", machine()],
    ["with disks", machine({ dataDisks: [disk(), disk({ nameSuffix: "b", lun: 63, diskSizeGB: 32_767 })] })],
    ["that is confidential", confidential("DiskWithVMGuestState", secure)],
    ["with a role", machine({ ...own, systemAssignedIdentityRole: { name: id } })],
    ["in a scale set", machine({ virtualMachineScaleSetID: `${compute}/virtualMachineScaleSets/v` })],
    ["of reserved capacity", machine({ capacityReservationGroupID: `azure://${compute}/capacityReservationGroups/v` })],
    ["with a key", machine({ sshPublicKey: Buffer.from("ssh-rsa AAAA me@here\n").toString("base64") })],
    ["of spot capacity", machine({ spotVMOptions: { maxPrice: "-1" } })],
    ["of spot capacity for half a dollar", machine({ spotVMOptions: { maxPrice: "500m" } })],
    ["with a key and options", machine({ sshPublicKey: Buffer.from("no-pty ssh-rsa AAAA").toString("base64") })],
    ["with an identity", machine({ identity: "UserAssigned", userAssignedIdentities: [{ providerID: "/x" }] })],
  ])("%s is accepted", (_, spec) => {
    expect(fields(spec)).toEqual([]);
  });

  it.each<[string, MachineSpec]>([
    ["spec.image", machine({ image: {} })],
    ["spec.image", machine({ image: { id: "/x", computeGallery: { gallery: "g", name: "n", version: "1" } } })],
    [
      "spec.image.computeGallery",
      machine({ image: { computeGallery: { gallery: "g", name: "n", version: "1", resourceGroup: "r" } } }),
    ],
    ["spec.osDisk.osType", osDisk({ osType: "Plan9" })],
    ["spec.osDisk.diskSizeGB", osDisk({ diskSizeGB: 2049 })],
    ["spec.osDisk.managedDisk.storageAccountType", osDisk({ managedDisk: {} })],
    ["spec.osDisk.managedDisk.storageAccountType", osDisk({ managedDisk: { storageAccountType: "UltraSSD_LRS" } })],
    [
      "spec.osDisk.managedDisk.diskEncryptionSet",
      osDisk({
        diffDiskSettings: { option: "Local" },
        managedDisk: { storageAccountType: "x", diskEncryptionSet: { id: "/d" } },
      }),
    ],
    ["spec.dataDisks[0].diskSizeGB", machine({ dataDisks: [disk({ diskSizeGB: 3 })] })],
    ["spec.dataDisks[1].lun", machine({ dataDisks: [disk({ lun: 1 }), disk({ nameSuffix: "b", lun: 1 })] })],
    ["spec.dataDisks[0].lun", machine({ dataDisks: [disk({ lun: 64 })] })],
    ["spec.dataDisks[1].nameSuffix", machine({ dataDisks: [disk(), disk()] })],
    [
      "spec.dataDisks[0].cachingType",
      machine({ dataDisks: [disk({ cachingType: "ReadOnly", managedDisk: { storageAccountType: "UltraSSD_LRS" } })] }),
    ],
    ["spec.userAssignedIdentities", machine({ identity: "UserAssigned" })],
    ["spec.userAssignedIdentities", machine({ userAssignedIdentities: [{ providerID: "/x" }] })],
    [
      "spec.diagnostics.boot.userManaged.storageAccountURI",
      machine({ diagnostics: { boot: { storageAccountType: "UserManaged" } } }),
    ],
    [
      "spec.diagnostics.boot.userManaged",
      machine({
        diagnostics: { boot: { storageAccountType: "Managed", userManaged: { storageAccountURI: "https://x" } } },
      }),
    ],
    ["spec.securityProfile.securityType", confidential("VMGuestStateOnly", { uefiSettings: { vTpmEnabled: true } })],
    [
      "spec.securityProfile.uefiSettings.vTpmEnabled",
      confidential("VMGuestStateOnly", { securityType: "ConfidentialVM" }),
    ],
    [
      "spec.securityProfile.uefiSettings.secureBootEnabled",
      confidential("DiskWithVMGuestState", { ...secure, uefiSettings: { vTpmEnabled: true } }),
    ],
    [
      "spec.securityProfile.encryptionAtHost",
      confidential("DiskWithVMGuestState", { ...secure, encryptionAtHost: true }),
    ],
    [
      "spec.vmExtensions",
      machine({ disableExtensionOperations: true, vmExtensions: [{ name: "a", publisher: "p", version: "1" }] }),
    ],
    ["spec.systemAssignedIdentityRole", machine({ systemAssignedIdentityRole: {} })],
    ["spec.roleAssignmentName", machine({ roleAssignmentName: id })],
    ["spec.systemAssignedIdentityRole.name", machine({ ...own, systemAssignedIdentityRole: { name: "x" } })],
    ["spec.roleAssignmentName", machine({ ...own, roleAssignmentName: id, systemAssignedIdentityRole: { name: id } })],
    ["spec.sshPublicKey", machine({ sshPublicKey: "not base64!" })],
    ["spec.sshPublicKey", machine({ sshPublicKey: Buffer.from("no key").toString("base64") })],
    ["spec.dataDisks[0].managedDisk.storageAccountType", machine({ dataDisks: [disk({ managedDisk: {} })] })],
    ["spec.subnetName", machine({ subnetName: "a", networkInterfaces: [{ subnetName: "b" }] })],
    ["spec.acceleratedNetworking", machine({ acceleratedNetworking: true, networkInterfaces: [{}] })],
    ["spec.networkInterfaces[0].privateIPConfigs", machine({ networkInterfaces: [{ privateIPConfigs: 0 }] })],
    ["spec.networkInterfaces[0].privateIPConfigs", machine({ networkInterfaces: [{ privateIPConfigs: 257 }] })],
    ["spec.capacityReservationGroupID", machine({ capacityReservationGroupID: "/x" })],
    ["spec.virtualMachineScaleSetID", machine({ virtualMachineScaleSetID: `${compute}/virtualMachines/v` })],
    ["spec.spotVMOptions.maxPrice", machine({ spotVMOptions: { maxPrice: "0" } })],
    [
      "spec.spotVMOptions.evictionPolicy",
      { ...osDisk({ diffDiskSettings: { option: "Local" } }), spotVMOptions: { evictionPolicy: "Deallocate" } },
    ],
    [
      "spec.vmExtensions[1].name",
      machine({ vmExtensions: [1, 2].map(() => ({ name: "a", publisher: "p", version: "1" })) }),
    ],
  ])("is refused for %s: %j", (field, spec) => {
    expect(fields(spec)).toContain(field);
  });

  it("names the field where it is in a template", () => {
    const [cause] = machineCauses(defaultedMachine(osDisk({ diskSizeGB: 0 })), { path: "spec.template.spec" });
    expect(cause?.field).toBe("spec.template.spec.osDisk.diskSizeGB");
  });

  it("of a template has no name of a role assignment, which each machine needs of its own", () => {
    const spec = machine({ ...own, systemAssignedIdentityRole: { name: id } });
    const causes = machineCauses(defaultedMachine(spec), { path: "spec.template.spec", isTemplate: true });
    expect(causes.map(({ field }) => field)).toEqual(["spec.template.spec.systemAssignedIdentityRole.name"]);
  });

  const changes = (before: MachineSpec, after: MachineSpec) =>
    machineChanges(defaultedMachine(before), defaultedMachine(after)).map(({ field }) => field);

  it.each<[Partial<MachineSpec>, readonly string[]]>([
    [{ image: { id: "/other" } }, ["spec.image"]],
    [{ osDisk: { osType: "Linux", cachingType: "ReadOnly" } }, ["spec.osDisk"]],
    [{ sshPublicKey: "eA==" }, ["spec.sshPublicKey"]],
    [{ providerID: "azure://x", failureDomain: "1", additionalTags: { a: "b" }, vmSize: "Standard_D4s_v3" }, []],
    [{ diagnostics: { boot: { storageAccountType: "Disabled" } }, disableVMBootstrapExtension: false }, []],
    [{ networkInterfaces: [{ subnetName: "filled" }] }, []],
    [{ networkInterfaces: [{ privateIPConfigs: 2 }] }, ["spec.networkInterfaces"]],
    [{ networkInterfaces: [{}, {}] }, ["spec.networkInterfaces"]],
    [{ networkInterfaces: [{ acceleratedNetworking: true }] }, ["spec.networkInterfaces"]],
    [{ dnsServers: ["10.0.0.1"], additionalCapabilities: { ultraSSDEnabled: true } }, []],
    [{ vmExtensions: [{ name: "a", publisher: "p", version: "1" }] }, []],
    [{ dataDisks: [disk()] }, ["spec.dataDisks"]],
    [{ allocatePublicIP: true, enableIPForwarding: true }, ["spec.allocatePublicIP", "spec.enableIPForwarding"]],
    [{ spotVMOptions: {} }, ["spec.spotVMOptions"]],
    [{ securityProfile: { encryptionAtHost: true } }, ["spec.securityProfile"]],
    [{ identity: "SystemAssigned" }, ["spec.identity"]],
    [{ disableExtensionOperations: true }, ["spec.disableExtensionOperations"]],
    [{ capacityReservationGroupID: "/x" }, ["spec.capacityReservationGroupID"]],
    [{ virtualMachineScaleSetID: "/x" }, ["spec.virtualMachineScaleSetID"]],
  ])("changing to %j is refused for %j", (more, expected) => {
    expect(changes(machine(), machine(more))).toEqual(expected);
  });

  it("keeps what may be said once, and may leave acceleration to the size again", () => {
    const diagnostics = { boot: { storageAccountType: "Disabled" } } as const;
    const before = machine({ diagnostics, disableVMBootstrapExtension: false });
    expect(changes(before, machine({ disableVMBootstrapExtension: true }))).toEqual([
      "spec.diagnostics",
      "spec.disableVMBootstrapExtension",
    ]);
    const fast = machine({ networkInterfaces: [{ subnetName: "a", acceleratedNetworking: true }] });
    expect(changes(fast, machine({ networkInterfaces: [{ subnetName: "a" }] }))).toEqual([]);
    expect(changes(fast, machine({ networkInterfaces: [{ subnetName: "b" }] }))).toEqual(["spec.networkInterfaces"]);
  });
});

describe("an AzureClusterIdentity", () => {
  const identity = (type: string, more: object = {}) =>
    ({
      apiVersion: "v1",
      kind: "AzureClusterIdentity",
      metadata: {},
      spec: { type, tenantID: "t", clientID: "c", ...more },
    }) as never;
  it.each([
    ["ServicePrincipal", { clientSecret: { name: "s" } }, []],
    ["WorkloadIdentity", {}, []],
    ["ServicePrincipalCertificate", { certPath: "/x" }, []],
    ["ServicePrincipal", {}, ["spec.clientSecret.name"]],
    ["ServicePrincipalCertificate", {}, ["spec.clientSecret.name"]],
    ["WorkloadIdentity", { resourceID: "/x" }, ["spec.resourceID"]],
    ["UserAssignedIdentityCredential", {}, ["spec.userAssignedIdentityCredentialsPath"]],
    [
      "UserAssignedIdentityCredential",
      { userAssignedIdentityCredentialsPath: "/msi", userAssignedIdentityCredentialsCloudType: "moon" },
      ["spec.userAssignedIdentityCredentialsCloudType"],
    ],
    [
      "UserAssignedIdentityCredential",
      { userAssignedIdentityCredentialsPath: "/msi", userAssignedIdentityCredentialsCloudType: "china" },
      [],
    ],
  ])("%s %j is refused for %j", (type, more, expected) => {
    expect(identityCauses(identity(type, more), undefined).map(({ field }) => field)).toEqual(expected);
  });

  it("keeps its type", () => {
    expect(identityCauses(identity("WorkloadIdentity"), identity("UserAssignedMSI")).map(({ field }) => field)).toEqual(
      ["spec.type"],
    );
  });
});
