import { conditionOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AzureMachine as Machine } from "../src/api.ts";
import { AzureMachine } from "../src/api.ts";
import type { AzureSimulatorOptions } from "@capstan/sim-azure";
import type { Json, Scene } from "./scene.ts";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());
const open = (options: Partial<AzureSimulatorOptions> = {}): Promise<Scene> => openScene(environment, options);

const identity = { resourceGroup: "shared", name: "own", location: "westeurope" };
const identityId = ({ cloud: { simulator } }: Scene): string =>
  `/subscriptions/${simulator.subscriptionId}/resourceGroups/shared/providers/Microsoft.ManagedIdentity/userAssignedIdentities/own`;

const conditionIs = (type: string, status: string) => (machine: Machine) =>
  conditionOf(machine, type, "v1beta1")?.status === status;

const removed = async ({ core }: Scene): Promise<void> => {
  await environment.client.delete(AzureMachine, core.key("m"));
  await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
};

const sendsTo = ({ cloud }: Scene, path: RegExp): number =>
  cloud.simulator.requests.log.filter((request) => request.method === "PUT" && path.test(request.path)).length;

describe("the identity of a machine", () => {
  it("of its own gets the role Contributor for the subscription, although Azure does not know it at once", async () => {
    await using scene = await open({ delays: { principalMs: 20_000 } });
    await scene.cluster();
    await scene.machine({ identity: "SystemAssigned" });
    await scene.managers.start();
    await scene.machineIs(conditionIs("RoleAssignmentReady", "True"));
    const { roleAssignments, subscriptionId } = { ...scene.cloud.simulator.state, ...scene.cloud.simulator };
    expect(scene.cloud.simulator.state.roleAssignments).toMatchObject([
      {
        scope: `/subscriptions/${subscriptionId}`,
        roleDefinitionId: expect.stringMatching(/b24988ac-6180-42a0-ab88-20f7382dd24c$/) as string,
        principalType: "ServicePrincipal",
      },
    ]);
    expect(roleAssignments).toHaveLength(1);
    await scene.machineIs(isReady);
  });

  it("gets the role of the spec, and one that is assigned under another name is enough", async () => {
    await using scene = await open();
    await scene.cluster();
    const { subscriptionId } = scene.cloud.simulator;
    const scope = `/subscriptions/${subscriptionId}/resourceGroups/${scene.core.namespace}`;
    const definitionID = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/9980e02c-c2be-4d73-94e8-173b1dc7cf3c`;
    await scene.machine({
      identity: "SystemAssigned",
      systemAssignedIdentityRole: { definitionID, scope: `${scope}/` },
    });
    await scene.managers.start();
    await scene.machineIs(conditionIs("RoleAssignmentReady", "True"));
    const [made] = scene.cloud.simulator.state.roleAssignments;
    expect(made).toMatchObject({ scope, roleDefinitionId: definitionID });
    const puts = sendsTo(scene, /roleAssignments/);
    await environment.pass(900_000);
    expect(sendsTo(scene, /roleAssignments/)).toBe(puts);
  });

  it("that somebody took away is said, and is a failure when it stays so", async () => {
    await using scene = await open({ identities: [identity] });
    await scene.cluster();
    const id = identityId(scene);
    await scene.machine({ identity: "UserAssigned", userAssignedIdentities: [{ providerID: `azure://${id}` }] });
    await scene.managers.start();
    await scene.machineIs(conditionIs("VMIdentitiesReady", "True"));
    const vm = scene.resource("virtualMachines");
    vm.outer = { ...vm.outer, identity: { type: "None" } };
    const machine = await scene.machineIs(({ status }) => status?.failureReason === "UnsupportedChange");
    const condition = machine.status?.conditions?.find(({ type }) => type === "VMIdentitiesReady");
    expect(condition).toMatchObject({ status: "False", reason: "UserAssignedIdentityMissing", severity: "Warning" });
    expect(condition?.message).toContain(id);
  });
});

describe("the tags of a machine", () => {
  const tagsOf = (scene: Scene) => scene.resource("virtualMachines").tags ?? {};
  const annotation = "sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-vm";

  it("follow the spec: added, changed and taken away, while those of others stay", async () => {
    await using scene = await open();
    await scene.cluster({ additionalTags: { cost: "1" } });
    await scene.machine({ additionalTags: { team: "a", stage: "x" } });
    await scene.managers.start();
    await scene.machineIs(isReady);
    const before = await scene.machineIs(({ metadata }) => metadata.annotations?.[annotation] !== undefined);
    expect(JSON.parse(before.metadata.annotations?.[annotation] ?? "")).toEqual({ cost: "1", stage: "x", team: "a" });
    expect(before.metadata.annotations?.["cluster-api-provider-azure"]).toBe("true");
    const vm = scene.resource("virtualMachines");
    vm.tags = { ...vm.tags, foreign: "stays", cost: "changed" };
    await scene.core.patch(AzureMachine, "m", { spec: { additionalTags: { team: "b", stage: null } } });
    await environment.until(() => tagsOf(scene)["team"] === "b" && !("stage" in tagsOf(scene)));
    expect(tagsOf(scene)).toMatchObject({ foreign: "stays", cost: "1", team: "b" });
    await scene.machineIs(({ metadata }) => metadata.annotations?.[annotation] === '{"cost":"1","team":"b"}');
  });

  it("are waited for where Azure goes on with them after its answer", async () => {
    await using scene = await open({ delays: { tagsMs: 120_000 } });
    await scene.cluster();
    await scene.machine({ additionalTags: { team: "a", stage: "x" } });
    await scene.managers.start();
    await scene.machineIs(isReady);
    const changes = () =>
      scene.cloud.simulator.requests.log.filter(
        ({ method, path }) => method === "PATCH" && path.endsWith("/tags/default"),
      );
    await scene.core.patch(AzureMachine, "m", { spec: { additionalTags: { team: "b", stage: null } } });
    await environment.until(() => changes().length > 0);
    await environment.pass(60_000);
    expect([tagsOf(scene)["team"], changes().map(({ status }) => status)]).toEqual(["a", [202]]);
    await environment.until(() => tagsOf(scene)["team"] === "b" && !("stage" in tagsOf(scene)));
    await scene.machineIs(({ metadata }) => metadata.annotations?.[annotation] === '{"team":"b"}');
    expect(changes().map(({ status }) => status)).toEqual([202, 202]);
  });

  it("are left alone where others made the machine", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ additionalTags: { team: "a" } });
    await scene.managers.start();
    await scene.machineIs(isReady);
    const vm = scene.resource("virtualMachines");
    vm.tags = { mine: "yes" };
    await scene.core.patch(AzureMachine, "m", { spec: { additionalTags: { team: "b" } } });
    await environment.pass(900_000);
    expect(tagsOf(scene)).toEqual({ mine: "yes" });
  });
});

describe("the parts of a machine", () => {
  it("are as the spec asks for: interfaces with addresses, disks, a public address, diagnostics", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({
      vmSize: "Standard_D4s_v3",
      osDisk: { osType: "Linux", diskSizeGB: 30, diffDiskSettings: { option: "Local" } },
      dataDisks: [{ nameSuffix: "data", diskSizeGB: 8, managedDisk: { storageAccountType: "Premium_LRS" } }],
      networkInterfaces: [{ privateIPConfigs: 3, acceleratedNetworking: false }, {}],
      dnsServers: ["10.1.0.4"],
      enableIPForwarding: true,
      allocatePublicIP: true,
      diagnostics: { boot: { storageAccountType: "Disabled" } },
      spotVMOptions: { maxPrice: "0.25" },
    });
    await scene.managers.start();
    const machine = await scene.machineIs(isReady);
    expect(scene.resource("networkInterfaces", "m-nic-0").properties).toMatchObject({
      enableAcceleratedNetworking: false,
      enableIPForwarding: true,
      dnsSettings: { dnsServers: ["10.1.0.4"] },
      ipConfigurations: [{ name: "pipConfig" }, { name: "m-nic-0-1" }, { name: "m-nic-0-2" }],
    });
    expect(scene.resource("networkInterfaces", "m-nic-1").properties).toMatchObject({
      enableAcceleratedNetworking: true,
    });
    expect(scene.resource("virtualMachines").properties).toMatchObject({
      priority: "Spot",
      evictionPolicy: "Delete",
      billingProfile: { maxPrice: 0.25 },
      storageProfile: {
        osDisk: { caching: "ReadOnly", diffDiskSettings: { option: "Local" } },
        dataDisks: [{ name: "m_data", lun: 0, caching: "ReadWrite" }],
      },
      diagnosticsProfile: { bootDiagnostics: { enabled: false } },
    });
    const kinds = machine.status?.addresses?.map(({ type }) => type);
    expect(kinds).toEqual(["InternalDNS", "InternalIP", "ExternalIP", "InternalIP", "InternalIP", "InternalIP"]);
    await removed(scene);
    const left = scene.cloud.simulator.state.resources.filter(({ name }) => /^(?:pip-)?m(?:$|[-_])/.test(name));
    expect(left).toEqual([]);
  });

  it("are spread by an availability set where there are no zones, which goes with its last machine", async () => {
    await using scene = await open();
    await scene.cluster({ location: "westus" });
    await scene.machine({}, { controlPlane: true });
    await scene.managers.start();
    await scene.machineIs(isReady);
    const set = scene.resource("availabilitySets");
    expect(set.name).toBe(`${scene.core.clusterName}_control-plane-as`);
    expect(propertiesOf(set)["platformFaultDomainCount"]).toBe(2);
    await removed(scene);
    expect(scene.cloud.simulator.state.resources.filter(({ type }) => type.endsWith("/availabilitySets"))).toEqual([]);
  });

  it("are told of in the spec and in conditions: the subnet that was meant, and each part", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ allocatePublicIP: true }, { controlPlane: true });
    await scene.managers.start();
    const machine = await scene.machineIs(isReady);
    expect(machine.spec?.networkInterfaces).toEqual([
      { subnetName: `${scene.core.clusterName}-controlplane-subnet`, privateIPConfigs: 1 },
    ]);
    const types = ["VMRunning", "DisksReady", "NetworkInterfacesReady", "InboundNATRulesReady", "PublicIPsReady"];
    for (const type of types) expect(conditionIs(type, "True")(machine), type).toBe(true);
  });

  it("are made again where they came out badly: an interface that Azure calls Failed", async () => {
    await using scene = await open();
    await scene.cluster();
    const busy = { kind: "status", status: 409, code: "AnotherOperationInProgress" } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, times: 1, action: busy });
    await scene.machine();
    await scene.managers.start();
    await scene.machineIs(because("AzureBusy"));
    const path = /\/networkInterfaces\/m-nic$/i;
    const before = sendsTo(scene, path);
    scene.resource("networkInterfaces", "m-nic").state = "Failed";
    await scene.machineIs(isReady);
    expect(sendsTo(scene, path) - before).toBe(1);
    expect(scene.resource("networkInterfaces", "m-nic").state).toBe("Succeeded");
  });

  it("are made when Azure has their size again", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.managers.start();
    // What was refused is tried at once when the cluster changes, as it does until it is ready.
    await scene.clusterIs(isReady);
    const action = { kind: "status", status: 409, code: "SkuNotAvailable" } as const;
    scene.cloud.simulator.faults.add({ method: "PUT", path: /\/virtualMachines\/m$/, action });
    await scene.machine();
    const refused = await scene.machineIs(because("SizeNotAvailable"));
    expect(conditionOf(refused, "Ready", "v1beta1")?.message).toContain("or wait for this one");
    await scene.machineIs(isReady);
  });

  it("go although the subnet of the spec does not exist", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ networkInterfaces: [{ subnetName: "none" }] });
    await scene.managers.start();
    await scene.machineIs(because("SubnetUnknown"));
    await removed(scene);
  });
});

describe("a machine", () => {
  it.each([
    [undefined, "3"],
    ["2", "2"],
  ])("whose Machine names the zone %s is in zone %s: that of its own spec gives way", async (failureDomain, zone) => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ failureDomain: "3" }, failureDomain === undefined ? {} : { failureDomain });
    await scene.managers.start();
    const machine = await scene.machineIs(isReady);
    expect([scene.resource("virtualMachines").outer["zones"], machine.status?.failureDomain]).toEqual([[zone], zone]);
  });

  it("that Azure took back is not ready, and says so", async () => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine({ spotVMOptions: {} });
    await scene.managers.start();
    await scene.machineIs(isReady);
    const vm = scene.resource("virtualMachines");
    Object.assign(vm.machine!, { deallocated: true });
    const machine = await scene.machineIs(because("SpotEvicted"));
    expect(conditionOf(machine, "Ready", "v1beta1")?.message).toContain("Azure evicted the spot instance");
    expect(conditionOf(machine, "VMRunning", "v1beta1")?.status).toBe("False");
    Object.assign(vm.machine!, { deallocated: false });
    await scene.machineIs(isReady);
  });

  it.each([
    [65_535, isReady],
    [65_536, because("BootstrapDataTooLarge")],
  ])("with %i bytes of bootstrap data and no object store is made, or refused before the call", async (size, test) => {
    await using scene = await open();
    await scene.cluster();
    const head = "#cloud-config\n#";
    await scene.machine({}, { bootstrap: head + "x".repeat(size - head.length) });
    await scene.managers.start();
    await scene.machineIs(test);
    const customData = sendsTo(scene, /\/virtualMachines\/m$/i);
    expect(customData).toBe(size < 65_536 ? 1 : 0);
    expect(scene.cloud.simulator.requests.violations).toEqual([]);
  });

  it.each<[Json, string]>([
    [{ vmSize: "Standard_B1s" }, "has 1 processors"],
    [{ securityProfile: { securityType: "ConfidentialVM" } }, "spec.securityProfile.securityType"],
  ])("with %j is refused as a configuration that cannot be", async (spec, words) => {
    await using scene = await open();
    await scene.cluster();
    await scene.machine(spec);
    await scene.managers.start();
    const machine = await scene.machineIs(because("InvalidConfiguration"));
    expect(machine.status?.failureMessage).toContain(words);
  });
});
