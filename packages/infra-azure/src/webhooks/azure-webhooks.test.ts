import { describe, expect, it } from "vitest";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { defaultedCluster } from "../cluster/cluster-defaults.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { clusterCauses } from "./cluster-causes.ts";
import { clusterChanges } from "./cluster-changes.ts";
import { identityCauses } from "./identity-causes.ts";
import { machineCauses, machineChanges } from "./machine-causes.ts";

type ClusterSpec = NonNullable<AzureCluster["spec"]>;
type MachineSpec = NonNullable<AzureMachine["spec"]>;
type Subnets = NonNullable<NonNullable<ClusterSpec["networkSpec"]>["subnets"]>;

const identityRef = { kind: "AzureClusterIdentity", name: "i" };
const cluster = (more: Partial<ClusterSpec> = {}): ClusterSpec => ({
  location: "westeurope",
  controlPlaneEnabled: true,
  identityRef,
  ...more,
});
const fieldsOf = (spec: ClusterSpec, name = "demo"): readonly string[] =>
  clusterCauses(name, defaultedCluster(name, spec)).map(({ field }) => field ?? "");
const withSubnets = (...subnets: Subnets): ClusterSpec => cluster({ networkSpec: { subnets } });
const rule = (more: object) => ({
  name: "r",
  description: "d",
  protocol: "Tcp" as const,
  direction: "Inbound" as const,
  action: "Allow" as const,
  ...more,
});
const guarded = (more: object): ClusterSpec =>
  withSubnets({ name: "cp", role: "control-plane", securityGroup: { name: "g", securityRules: [rule(more)] } });

describe("an AzureCluster", () => {
  it.each<[string, ClusterSpec]>([
    ["with what is required", cluster()],
    ["with one subnet for all", withSubnets({ name: "all", role: "cluster" })],
    ["with a priority at the edge", guarded({ priority: 4096 })],
    ["without a control plane of its own", cluster({ controlPlaneEnabled: false })],
  ])("%s is accepted", (_, spec) => {
    expect(fieldsOf(spec)).toEqual([]);
  });

  it.each<[string, ClusterSpec]>([
    ["spec.identityRef", { location: "x", controlPlaneEnabled: true }],
    ["spec.identityRef.kind", cluster({ identityRef: { ...identityRef, kind: "Secret" } })],
    ["spec.resourceGroup", cluster({ resourceGroup: "a/b" })],
    ["spec.azureEnvironment", cluster({ azureEnvironment: "AzureGermanCloud" })],
    [
      "spec.networkSpec.vnet.cidrBlocks",
      cluster({ networkSpec: { vnet: { name: "v", cidrBlocks: ["10.0.0.0/8", "x"] } } }),
    ],
    [
      "spec.networkSpec.subnets[1].cidrBlocks",
      withSubnets({ name: "n", role: "node", cidrBlocks: ["192.168.0.0/24"] }),
    ],
    ["spec.networkSpec.subnets[1].name", withSubnets({ name: "a b", role: "node" })],
    ["spec.networkSpec.subnets[0].securityGroup.securityRules[0].priority", guarded({ priority: 99 })],
    ["spec.networkSpec.subnets[0].securityGroup.securityRules[0].sources", guarded({ source: "*", sources: ["a"] })],
    [
      "spec.networkSpec.subnets[0].securityGroup.securityRules[0].description",
      guarded({ description: "x".repeat(141) }),
    ],
    [
      "spec.networkSpec.subnets[1].serviceEndpoints[0].service",
      withSubnets({ name: "n", role: "node", serviceEndpoints: [{ service: "x", locations: ["*"] }] }),
    ],
    ["spec.networkSpec.apiServerLB.sku", cluster({ networkSpec: { apiServerLB: { sku: "Basic" } } })],
    [
      "spec.networkSpec.apiServerLB.idleTimeoutInMinutes",
      cluster({ networkSpec: { apiServerLB: { idleTimeoutInMinutes: 31 } } }),
    ],
    [
      "spec.networkSpec.nodeOutboundLB.frontendIPsCount",
      cluster({ networkSpec: { nodeOutboundLB: { frontendIPsCount: 17 } } }),
    ],
    ["spec.networkSpec.apiServerLB.type Internal", cluster({ networkSpec: { apiServerLB: { type: "Internal" } } })],
    [
      "spec.networkSpec.vnet.peerings",
      cluster({ networkSpec: { vnet: { name: "v", peerings: [{ remoteVnetName: "hub" }] } } }),
    ],
    [
      "spec.bastionSpec.azureBastion",
      cluster({ bastionSpec: { azureBastion: { sku: "Basic", enableTunneling: false } } }),
    ],
    ["spec.extendedLocation", cluster({ extendedLocation: { name: "e", type: "EdgeZone" } })],
  ])("is refused for %s", (field, spec) => {
    expect(fieldsOf(spec)).toContain(field);
  });

  it.each(["Upper", "-a", "a", "x".repeat(45)])("may not be called %s", (name) => {
    expect(fieldsOf(cluster(), name)).toEqual(["metadata.name"]);
  });

  const changes = (before: ClusterSpec, after: ClusterSpec) =>
    clusterChanges(defaultedCluster("demo", before), defaultedCluster("demo", after)).map(({ field }) => field);

  it.each<[string, ClusterSpec, ClusterSpec]>([
    ["spec.location", cluster(), cluster({ location: "eastus" })],
    ["spec.subscriptionID", cluster({ subscriptionID: "a" }), cluster({ subscriptionID: "b" })],
    ["spec.resourceGroup", cluster(), cluster({ resourceGroup: "other" })],
    [
      "spec.controlPlaneEndpoint.host",
      cluster({ controlPlaneEndpoint: { host: "a" } }),
      cluster({ controlPlaneEndpoint: { host: "b" } }),
    ],
    ["spec.networkSpec.apiServerLB.name", cluster(), cluster({ networkSpec: { apiServerLB: { name: "x" } } })],
    [
      "spec.networkSpec.subnets[1].cidrBlocks",
      withSubnets({ name: "n", role: "node" }),
      withSubnets({ name: "n", role: "node", cidrBlocks: ["10.2.0.0/16"] }),
    ],
  ])("keeps %s", (field, before, after) => {
    expect(changes(before, after)).toContain(field);
  });

  it("may get an endpoint, a subscription, tags and further subnets", () => {
    const before = cluster({ subscriptionID: "", controlPlaneEndpoint: { host: "", port: 0 } });
    const after = cluster({
      subscriptionID: "s",
      controlPlaneEndpoint: { host: "h", port: 6443 },
      additionalTags: { a: "b" },
    });
    expect(changes(before, after)).toEqual([]);
    expect(
      changes(
        withSubnets({ name: "n", role: "node" }),
        withSubnets({ name: "n", role: "node" }, { name: "m", role: "node" }),
      ),
    ).toEqual([]);
  });
});

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
