import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeVm } from "./cluster-machine.ts";
import { at, idOf, inEastUs, makeNetwork, standardIp } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
beforeEach(async () => {
  azure = await simulate();
  await makeNetwork(azure);
});
afterEach(() => azure[Symbol.asyncDispose]());

const get = async (path: string) => (await azure.call("GET", at(path))).body;
const put = (path: string, body: unknown) => azure.settle("PUT", at(path), { body });
const id = (path: string) => ({ id: idOf(azure, path) });
const vnet = "virtualNetworks/demo-vnet";
const succeeded = { body: { status: "Succeeded" } };
const refused = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("a bastion host", () => {
  const bastion = (more: object = {}, subnet = "AzureBastionSubnet") =>
    inEastUs({
      ipConfigurations: [
        {
          name: "bastionHostIpConfiguration",
          properties: { subnet: id(`${vnet}/subnets/${subnet}`), publicIPAddress: id("publicIPAddresses/bastion-ip") },
        },
      ],
      ...more,
    });
  beforeEach(async () => {
    await put(`${vnet}/subnets/AzureBastionSubnet`, { properties: { addressPrefix: "10.255.255.224/27" } });
    await put("publicIPAddresses/bastion-ip", standardIp());
  });

  it("is made, holds its subnet and its address, and goes", async () => {
    const made = await azure.call("PUT", at("bastionHosts/demo-bastion"), { body: bastion() });
    expect(made).toMatchObject({
      status: 201,
      headers: { "azure-asyncoperation": expect.stringContaining("/Microsoft.Network/locations/") as string },
      body: { sku: { name: "Basic" }, properties: { provisioningState: "Updating" } },
    });
    await azure.clock.advance(200);
    expect(await get("bastionHosts/demo-bastion")).toMatchObject({
      etag: expect.stringMatching(/^W\//) as string,
      properties: { provisioningState: "Succeeded", dnsName: expect.stringContaining("bastion.azure.com") as string },
    });
    expect(await azure.call("DELETE", at(`${vnet}/subnets/AzureBastionSubnet`))).toMatchObject(
      refused(400, "InUseSubnetCannotBeDeleted"),
    );
    expect(await azure.call("DELETE", at("publicIPAddresses/bastion-ip"))).toMatchObject(
      refused(400, "PublicIPAddressCannotBeDeleted"),
    );
    expect(await azure.settle("DELETE", at("bastionHosts/demo-bastion"))).toMatchObject(succeeded);
    expect(await azure.settle("DELETE", at(`${vnet}/subnets/AzureBastionSubnet`))).toMatchObject(succeeded);
  });

  it.each([
    ["in another subnet", {}, "nodes", "BastionHostSubnetNameInvalid"],
    ["with tunnels of the basic SKU", { enableTunneling: true }, undefined, "BastionFeatureNotSupportedForBasicSku"],
    ["without an address", { ipConfigurations: [] }, undefined, "InvalidRequestFormat"],
  ])("is refused %s", async (_, more, subnet, code) => {
    expect(await put("bastionHosts/demo-bastion", bastion(more, subnet))).toMatchObject(refused(400, code));
  });

  it("is refused as the second one of a network", async () => {
    await put("bastionHosts/demo-bastion", bastion());
    await put("publicIPAddresses/other-ip", standardIp());
    const second = bastion();
    const [configuration] = second.properties.ipConfigurations;
    const body = inEastUs({
      ipConfigurations: [
        {
          ...configuration,
          properties: { ...configuration?.properties, publicIPAddress: id("publicIPAddresses/other-ip") },
        },
      ],
    });
    expect(await put("bastionHosts/other", body)).toMatchObject(refused(400, "VirtualNetworkAlreadyHasBastionHost"));
  });
});

describe("a private endpoint", () => {
  const service = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";
  const endpoint = (more: object = {}) =>
    inEastUs({
      subnet: id(`${vnet}/subnets/nodes`),
      privateLinkServiceConnections: [
        { name: "link", properties: { privateLinkServiceId: service, groupIds: ["blob"] } },
      ],
      ...more,
    });

  it("has a card in its subnet, which goes with it and not before", async () => {
    const body = endpoint({
      customNetworkInterfaceName: "pe-nic",
      ipConfigurations: [
        { name: "fixed", properties: { groupId: "blob", memberName: "blob", privateIPAddress: "10.1.0.9" } },
      ],
    });
    expect(await put("privateEndpoints/pe", body)).toMatchObject(succeeded);
    expect(await get("privateEndpoints/pe")).toMatchObject({
      properties: {
        networkInterfaces: [id("networkInterfaces/pe-nic")],
        privateLinkServiceConnections: [{ properties: { privateLinkServiceConnectionState: { status: "Approved" } } }],
      },
    });
    expect(await get("networkInterfaces/pe-nic")).toMatchObject({
      properties: { ipConfigurations: [{ properties: { privateIPAddress: "10.1.0.9" } }] },
    });
    expect((await get(`${vnet}/subnets/nodes`)).properties.privateEndpoints).toEqual([id("privateEndpoints/pe")]);
    expect(await azure.call("DELETE", at("networkInterfaces/pe-nic"))).toMatchObject(
      refused(400, "NetworkInterfaceInUseByPrivateEndpoint"),
    );
    const again = await get("privateEndpoints/pe");
    expect(await put("privateEndpoints/pe", again)).toMatchObject(succeeded);
    expect(await azure.settle("DELETE", at("privateEndpoints/pe"))).toMatchObject(succeeded);
    expect((await azure.call("GET", at("networkInterfaces/pe-nic"))).status).toBe(404);
    expect(azure.simulator.requests.violations).toEqual([]);
  });

  it.each([
    [{ subnet: undefined }, "InvalidRequestFormat"],
    [{ privateLinkServiceConnections: [] }, "PrivateEndpointMustHaveOneConnection"],
    [
      { privateLinkServiceConnections: [{ name: "x", properties: { privateLinkServiceId: "storage" } }] },
      "LinkedInvalidPropertyId",
    ],
  ])("is refused with %j", async (more, code) => {
    expect(await put("privateEndpoints/pe", endpoint(more))).toMatchObject(refused(400, code));
    expect((await get("networkInterfaces")).value).toEqual([]);
  });

  it("waits for whoever owns the service where its connection is manual", async () => {
    const body = endpoint({
      privateLinkServiceConnections: [],
      manualPrivateLinkServiceConnections: [
        { name: "link", properties: { privateLinkServiceId: service, requestMessage: "please" } },
      ],
    });
    await put("privateEndpoints/pe", body);
    expect(await get("privateEndpoints/pe")).toMatchObject({
      properties: {
        manualPrivateLinkServiceConnections: [
          { properties: { privateLinkServiceConnectionState: { status: "Pending" } } },
        ],
      },
    });
  });
});

it("peers networks, which are connected once both sides say so", async () => {
  await put("virtualNetworks/hub", inEastUs({ addressSpace: { addressPrefixes: ["172.16.0.0/16"] } }));
  const peering = (remote: string) => ({
    properties: { remoteVirtualNetwork: id(remote), allowForwardedTraffic: true },
  });
  const there = `${vnet}/virtualNetworkPeerings/demo-To-hub`;
  const back = "virtualNetworks/hub/virtualNetworkPeerings/hub-To-demo";
  expect(await put(there, peering("virtualNetworks/hub"))).toMatchObject(succeeded);
  expect(await get(there)).toMatchObject({ properties: { peeringState: "Initiated", allowForwardedTraffic: true } });
  expect(await put(back, peering(vnet))).toMatchObject(succeeded);
  expect(await get(there)).toMatchObject({
    properties: { peeringState: "Connected", remoteAddressSpace: { addressPrefixes: ["172.16.0.0/16"] } },
  });
  expect(await azure.settle("DELETE", at(back))).toMatchObject(succeeded);
  await put("virtualNetworks/same", inEastUs({ addressSpace: { addressPrefixes: ["10.9.0.0/16"] } }));
  expect(await put(`${vnet}/virtualNetworkPeerings/x`, peering("virtualNetworks/same"))).toMatchObject(
    refused(400, "VnetAddressSpacesOverlap"),
  );
});

it("lists the records of a private zone, of one type and all", async () => {
  const zone = "privateDnsZones/demo.capz.io";
  await azure.settle("PUT", at(zone), { body: { location: "global" } });
  await azure.call("PUT", at(`${zone}/A/apiserver`), {
    body: { properties: { ttl: 300, aRecords: [{ ipv4Address: "10.0.0.100" }] } },
  });
  await azure.call("PUT", at(`${zone}/AAAA/apiserver`), {
    body: { properties: { ttl: 300, aaaaRecords: [{ ipv6Address: "fd00::1" }] } },
  });
  expect((await get(`${zone}/A`)).value).toMatchObject([{ properties: { fqdn: "apiserver.demo.capz.io." } }]);
  expect((await get(`${zone}/ALL`)).value).toHaveLength(2);
});

it("forwards from the private address of a load balancer, at an address of this computer that it keeps", async () => {
  const own = (path: string) => id(`loadBalancers/inside/${path}`);
  const frontend = {
    name: "front",
    properties: {
      privateIPAddress: "10.0.0.100",
      privateIPAllocationMethod: "Static",
      subnet: id(`${vnet}/subnets/control`),
    },
  };
  const rule = {
    name: "api",
    properties: {
      protocol: "Tcp",
      frontendPort: 6443,
      backendPort: 6443,
      frontendIPConfiguration: own("frontendIPConfigurations/front"),
      backendAddressPool: own("backendAddressPools/back"),
    },
  };
  const body = inEastUs(
    { frontendIPConfigurations: [frontend], backendAddressPools: [{ name: "back" }], loadBalancingRules: [rule] },
    { sku: { name: "Standard" } },
  );
  await put("loadBalancers/inside", body);
  await makeVm(azure, "web", { card: { loadBalancerBackendAddressPools: [own("backendAddressPools/back")] } });
  const machine = azure.simulator.state.resources.find((each) => each.machine !== undefined)?.machine;
  const server = createServer((socket) => socket.end("inside"));
  await new Promise<void>((resolve) => server.listen({ host: machine?.loopback, port: 6443 }, resolve));
  const host = azure.simulator.reach("10.0.0.100");
  expect(host).toMatch(/^127\./);
  expect(await text(connect({ host: host ?? "", port: 6443 }))).toBe("inside");
  await put("loadBalancers/inside", await get("loadBalancers/inside"));
  expect(azure.simulator.reach("10.0.0.100")).toBe(host);
  expect(JSON.stringify(await get("loadBalancers/inside"))).not.toContain("127.");
  await new Promise((resolve) => server.close(resolve));
  expect(azure.simulator.reach("10.0.0.101")).toBeUndefined();
});

/** Makes a network with the subnet `control`, and in it a load balancer with a private address. */
const makePrivateNetwork = async (name: string, range: string, privateIPAddress: string) => {
  const network = `virtualNetworks/${name}`;
  await put(network, inEastUs({ addressSpace: { addressPrefixes: [range] } }));
  await put(`${network}/subnets/control`, { properties: { addressPrefix: range } });
  const subnet = id(`${network}/subnets/control`);
  const properties = { privateIPAddress, privateIPAllocationMethod: "Static", subnet };
  const body = inEastUs({ frontendIPConfigurations: [{ name: "front", properties }] }, { sku: { name: "Standard" } });
  expect(await put(`loadBalancers/${name}`, body)).toMatchObject({ status: 200 });
};

/** Makes the private zone `NAME.capz.io` with the name `apiserver` for 10.0.0.100. */
const makeZone = async (name: string) => {
  const zone = `privateDnsZones/${name}.capz.io`;
  await azure.settle("PUT", at(zone), { body: { location: "global" } });
  const record = { ttl: 300, aRecords: [{ ipv4Address: "10.0.0.100" }] };
  await azure.call("PUT", at(`${zone}/A/apiserver`), { body: { properties: record } });
};

/** Lets the network of a name know the private zone of that name. */
const linkZone = (name: string) => {
  const properties = { virtualNetwork: id(`virtualNetworks/${name}`), registrationEnabled: false };
  const link = at(`privateDnsZones/${name}.capz.io/virtualNetworkLinks/${name}-link`);
  return azure.settle("PUT", link, { body: { location: "global", properties } });
};

it("leads by the names of private zones into the network that knows the zone, where addresses are the same", async () => {
  const hostOf: Record<string, string | undefined> = {};
  for (const name of ["one", "two"]) {
    await makePrivateNetwork(name, "10.0.0.0/16", "10.0.0.100");
    await makeZone(name);
    expect(azure.simulator.reach(`apiserver.${name}.capz.io`), "no network knows the zone").toBeUndefined();
    await linkZone(name);
    hostOf[name] = azure.simulator.reach(`APIServer.${name}.capz.io`);
  }
  expect(hostOf["one"]).toMatch(/^127\./);
  expect(hostOf["two"]).toMatch(/^127\./);
  expect(hostOf["one"]).not.toBe(hostOf["two"]);
  expect(azure.simulator.proxyFor("https://apiserver.one.capz.io:6443")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(azure.simulator.proxyFor("https://apiserver.three.capz.io:6443")).toBeUndefined();
});

it("leads machines to what is in their own network and in those peered with it", async () => {
  const resolvers: Record<string, ((host: string) => string | undefined) | undefined> = {};
  await azure[Symbol.asyncDispose]();
  azure = await simulate({
    guest: { boot: ({ name, resolve }) => void (resolvers[name] = resolve), shutdown: () => undefined },
  });
  await makeNetwork(azure);
  await makePrivateNetwork("one", "10.0.0.0/16", "10.0.0.100");
  await makePrivateNetwork("two", "10.0.0.0/16", "10.0.0.100");
  await makePrivateNetwork("three", "10.9.0.0/16", "10.9.0.4");
  for (const name of ["one", "two"]) {
    const subnet = id(`virtualNetworks/${name}/subnets/control`);
    await makeVm(azure, name, { card: { subnet } });
  }
  const [one, two] = [resolvers["one"]?.("10.0.0.100"), resolvers["two"]?.("10.0.0.100")];
  expect(one).toMatch(/^127\./);
  expect(two).toMatch(/^127\./);
  expect(one).not.toBe(two);
  expect(resolvers["two"]?.("10.9.0.4"), "no peering").toBeUndefined();

  const peering = { allowVirtualNetworkAccess: true, remoteVirtualNetwork: id("virtualNetworks/three") };
  const peered = await put("virtualNetworks/two/virtualNetworkPeerings/two-to-three", { properties: peering });
  expect(peered).toMatchObject({ status: 200 });
  expect(resolvers["two"]?.("10.9.0.4")).toBe(azure.simulator.reach("10.9.0.4"));
  expect(resolvers["one"]?.("10.9.0.4"), "no peering").toBeUndefined();

  await makeZone("one");
  await linkZone("one");
  await makeZone("two");
  await linkZone("two");
  expect(resolvers["two"]?.("apiserver.two.capz.io")).toBe(two);
  expect(resolvers["two"]?.("apiserver.one.capz.io"), "its network does not know the zone").toBeUndefined();
});
