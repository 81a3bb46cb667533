import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeAt, makeVm, vmAt, vmBody } from "./cluster-machine.ts";
import { at, idOf, inEastUs, makeNetwork, networkCard, standardIp } from "./cluster-network.ts";
import { setAt, setBody } from "./scale-set.ts";
import { type Answer, type SimulatedAzure, simulate } from "./simulation.ts";

const image = { publisher: "cncf-upstream", offer: "capi", sku: "ubuntu-2204-gen1", version: "latest" };
const assignmentAt =
  "resourceGroups/demo/providers/Microsoft.Authorization/roleAssignments/33333333-3333-3333-3333-333333333333";
const contributor = "Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c";
const identityAt = "resourceGroups/demo/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me";
const script = {
  publisher: "Microsoft.Azure.Extensions",
  type: "CustomScript",
  typeHandlerVersion: "2.1",
  settings: { commandToExecute: "true" },
};

let azure: SimulatedAzure;
const ref = (path: string) => ({ id: idOf(azure, path) });
const put = async (path: string, body: unknown): Promise<Answer> => {
  const { status, body: said, headers } = await azure.settle("PUT", path, { body });
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(said)}`);
  return { status, body: said, headers };
};
const get = async (path: string) => (await azure.call("GET", path)).body;

beforeAll(async () => {
  azure = await simulate();
  await makeNetwork(azure);
  const vnet = "virtualNetworks/demo-vnet";
  await put(at("virtualNetworks/other"), inEastUs({ addressSpace: { addressPrefixes: ["192.168.0.0/16"] } }));
  await put(at(`${vnet}/virtualNetworkPeerings/to-other`), {
    properties: { remoteVirtualNetwork: ref("virtualNetworks/other") },
  });
  await put(at("networkSecurityGroups/demo-nsg/securityRules/ssh"), {
    properties: {
      access: "Allow",
      direction: "Inbound",
      priority: 2200,
      protocol: "Tcp",
      sourceAddressPrefix: "*",
      sourcePortRange: "*",
      destinationAddressPrefix: "*",
      destinationPortRange: "22",
    },
  });
  await put(at("loadBalancers/demo-lb/inboundNatRules/ssh"), {
    properties: {
      frontendIPConfiguration: ref("loadBalancers/demo-lb/frontendIPConfigurations/front"),
      frontendPort: 2200,
      backendPort: 22,
    },
  });
  await put(at(`${vnet}/subnets/AzureBastionSubnet`), { properties: { addressPrefix: "10.255.255.224/27" } });
  await put(at("publicIPAddresses/bastion-ip"), standardIp());
  const inside = {
    subnet: ref(`${vnet}/subnets/AzureBastionSubnet`),
    publicIPAddress: ref("publicIPAddresses/bastion-ip"),
  };
  await put(at("bastionHosts/bastion"), inEastUs({ ipConfigurations: [{ name: "ip", properties: inside }] }));
  const connection = { privateLinkServiceId: idOf(azure, "privateLinkServices/theirs"), groupIds: ["sites"] };
  await put(
    at("privateEndpoints/endpoint"),
    inEastUs({
      subnet: ref(`${vnet}/subnets/nodes`),
      manualPrivateLinkServiceConnections: [{ name: "link", properties: connection }],
    }),
  );
  await put(at("privateDnsZones/demo.capz.io"), { location: "global" });
  await put(at("privateDnsZones/demo.capz.io/virtualNetworkLinks/link"), {
    location: "global",
    properties: { virtualNetwork: ref(vnet), registrationEnabled: false },
  });
  await put(computeAt("availabilitySets/set"), inEastUs({ platformFaultDomainCount: 2 }, { sku: { name: "Aligned" } }));
  await put(computeAt("disks/data"), inEastUs({ creationData: { createOption: "Empty" }, diskSizeGB: 20 }));
  await put(identityAt, { location: "eastus" });
  await makeVm(azure, "web", { image, outer: { identity: { type: "SystemAssigned" } } });
  await put(vmAt("web/extensions/script"), inEastUs(script));
  await put(
    setAt("pool"),
    setBody(azure, "pool", { capacity: 1, extensions: [{ name: "script", properties: script }] }),
  );
  await azure.clock.advance(60_000);
  const { principalId } = (await get(identityAt)).properties;
  const role = `/subscriptions/${azure.simulator.subscriptionId}/providers/${contributor}`;
  await put(assignmentAt, { properties: { principalId, roleDefinitionId: role } });
});
afterAll(() => azure[Symbol.asyncDispose]());

/** What changes with every write. */
const unchanged = (view: unknown): unknown =>
  JSON.parse(JSON.stringify(view, (key, value: unknown) => (key === "etag" ? undefined : value)));

describe("whatever an answer shows can be sent back as it is, and changes nothing", () => {
  it.each([
    ["resourceGroups/demo"],
    [assignmentAt],
    [at("virtualNetworks/demo-vnet")],
    [at("virtualNetworks/demo-vnet/subnets/nodes")],
    [at("virtualNetworks/demo-vnet/virtualNetworkPeerings/to-other")],
    [at("networkSecurityGroups/demo-nsg")],
    [at("networkSecurityGroups/demo-nsg/securityRules/ssh")],
    [at("routeTables/demo-routes")],
    [at("publicIPAddresses/demo-api")],
    [at("natGateways/demo-natgw")],
    [at("loadBalancers/demo-lb")],
    [at("loadBalancers/demo-lb/backendAddressPools/back")],
    [at("loadBalancers/demo-lb/inboundNatRules/ssh")],
    [at("networkInterfaces/web-nic")],
    [at("bastionHosts/bastion")],
    [at("privateEndpoints/endpoint")],
    [at("privateDnsZones/demo.capz.io")],
    [at("privateDnsZones/demo.capz.io/virtualNetworkLinks/link")],
    [computeAt("availabilitySets/set")],
    [computeAt("disks/data")],
    [computeAt("disks/web_OSDisk")],
    [identityAt],
    [vmAt("web")],
    [vmAt("web/extensions/script")],
    [setAt("pool")],
    [setAt("pool/extensions/script")],
    [setAt("pool/virtualMachines/0")],
  ])("%s", async (path) => {
    const before = await get(path);
    expect(before.id, "it is there").toBeDefined();
    const { body, status } = await azure.settle("PUT", path, { body: before });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    await azure.clock.advance(10_000);
    expect(unchanged(await get(path))).toEqual(unchanged(before));
  });

  it("also where it stands in something else: a whole address, a whole subnet", async () => {
    const balancer = await get(at("loadBalancers/demo-lb"));
    const [front] = balancer.properties.frontendIPConfigurations;
    front.properties.publicIPAddress = await get(at("publicIPAddresses/demo-api"));
    await put(at("loadBalancers/demo-lb"), balancer);
    const id = (await get(at("loadBalancers/demo-lb"))).properties.frontendIPConfigurations[0].properties
      .publicIPAddress;
    expect(id).toEqual(ref("publicIPAddresses/demo-api"));
    const card = await get(at("networkInterfaces/web-nic"));
    card.properties.ipConfigurations[0].properties.subnet = await get(at("virtualNetworks/demo-vnet/subnets/control"));
    await put(at("networkInterfaces/web-nic"), card);
  });

  it("and does not make instances of a scale set old", async () => {
    await put(setAt("pool"), await get(setAt("pool")));
    expect((await get(setAt("pool/virtualMachines/0"))).properties.latestModelApplied).toBe(true);
  });
});

describe("a PATCH of properties", () => {
  it.each([
    [computeAt("availabilitySets/set"), { platformUpdateDomainCount: 5 }, 200, false],
    [computeAt("disks/data"), { networkAccessPolicy: "DenyAll" }, 202, true],
    [vmAt("web"), { licenseType: "None" }, 200, true],
    [vmAt("web/extensions/script"), { autoUpgradeMinorVersion: true }, 200, true],
    [setAt("pool/extensions/script"), { autoUpgradeMinorVersion: true }, 201, true],
  ])("of %s changes them and nothing else", async (path, properties, status, hasOperation) => {
    const before = await get(path);
    const answer = await azure.call("PATCH", path, { body: { properties } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.headers["azure-asyncoperation"] !== undefined).toBe(hasOperation);
    await azure.clock.advance(60_000);
    const { provisioningState: _, ...rest } = before.properties;
    expect((await get(path)).properties).toMatchObject({ ...rest, ...properties });
  });
});

it("shows what Azure adds where nothing was said", async () => {
  await put(computeAt("availabilitySets/plain"), inEastUs({}, { sku: { name: "Aligned" } }));
  const plain = await get(computeAt("availabilitySets/plain"));
  expect(plain.properties).toMatchObject({ platformFaultDomainCount: 3, platformUpdateDomainCount: 5 });
  expect((await get(identityAt)).tags).toEqual({});
  const { vmAgent } = await get(vmAt("web/instanceView"));
  expect(vmAgent.extensionHandlers).toEqual([
    {
      type: "Microsoft.Azure.Extensions.CustomScript",
      typeHandlerVersion: "2.1",
      status: expect.objectContaining({ code: "ProvisioningState/succeeded", level: "Info" }) as object,
    },
  ]);
});

it("a machine whose image alone says its disk gets one", async () => {
  await put(at("networkInterfaces/bare-nic"), networkCard(azure, "control"));
  const body = vmBody(azure, "bare", { image });
  await put(vmAt("bare"), { ...body, properties: { ...body.properties, storageProfile: { imageReference: image } } });
  const { properties } = await get(vmAt("bare"));
  expect(properties.storageProfile).toMatchObject({
    imageReference: { ...image, exactVersion: expect.any(String) as string },
    osDisk: { osType: "Linux", createOption: "FromImage", diskSizeGB: expect.any(Number) as number },
  });
  expect(await get(computeAt(`disks/${properties.storageProfile.osDisk.name}`))).toMatchObject({
    sku: { name: "Standard_LRS", tier: "Standard" },
    properties: { diskIOPSReadWrite: 500, diskMBpsReadWrite: 60, networkAccessPolicy: "AllowAll" },
  });
});

it("what is deleted goes by an operation, a load balancer too", async () => {
  await put(at("loadBalancers/empty"), { location: "eastus", sku: { name: "Standard" } });
  expect(await azure.call("DELETE", at("loadBalancers/empty"))).toMatchObject({
    status: 202,
    headers: { "azure-asyncoperation": expect.any(String) as string, location: expect.any(String) as string },
  });
});
