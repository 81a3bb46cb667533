import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at, idOf, inEastUs, makeNetwork, networkCard, publicBalancer, standardIp } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
beforeAll(async () => {
  azure = await simulate();
  await makeNetwork(azure);
});
afterAll(() => azure[Symbol.asyncDispose]());

const get = async (path: string) => (await azure.call("GET", at(path))).body;
const id = (path: string) => ({ id: idOf(azure, path) });
const vnet = "virtualNetworks/demo-vnet";

describe("what a cluster needs below its machines", () => {
  it("refers to one another, both ways", async () => {
    expect(await get(`${vnet}/subnets/nodes`)).toMatchObject({
      id: id(`${vnet}/subnets/nodes`).id,
      etag: expect.stringMatching(/^W\//) as string,
      properties: {
        provisioningState: "Succeeded",
        addressPrefixes: ["10.1.0.0/16"],
        natGateway: id("natGateways/demo-natgw"),
      },
    });
    expect(await get("natGateways/demo-natgw")).toMatchObject({
      properties: { subnets: [id(`${vnet}/subnets/nodes`)] },
    });
    const subnets = [id(`${vnet}/subnets/control`), id(`${vnet}/subnets/nodes`)];
    expect(await get("networkSecurityGroups/demo-nsg")).toMatchObject({ properties: { subnets } });
    expect(await get("routeTables/demo-routes")).toMatchObject({ properties: { subnets } });
    expect((await get(vnet)).properties.subnets.map(({ name }: { name: string }) => name)).toEqual([
      "control",
      "nodes",
    ]);
    expect(await get("publicIPAddresses/demo-natgw-ip")).toMatchObject({
      properties: { natGateway: id("natGateways/demo-natgw") },
    });
  });

  it("has public addresses that are reached from here, by name too", async () => {
    const { properties } = await get("publicIPAddresses/demo-api");
    expect(properties).toMatchObject({
      ipAddress: expect.stringMatching(/^127\./) as string,
      dnsSettings: { domainNameLabel: "demo-api", fqdn: properties.ipAddress },
      ipConfiguration: id("loadBalancers/demo-lb/frontendIPConfigurations/front"),
    });
    await using other = await simulate({ dnsNames: "azure" });
    await other.call("PUT", "resourceGroups/demo", { body: { location: "eastus" } });
    const made = await other.call("PUT", at("publicIPAddresses/demo-api"), { body: standardIp("demo-api") });
    expect(made.body.properties.dnsSettings.fqdn).toBe("demo-api.eastus.cloudapp.azure.com");
  });

  it("shows a load balancer with the IDs of its parts and what refers to them", async () => {
    const balancer = await get("loadBalancers/demo-lb");
    expect(balancer).toMatchObject({
      sku: { name: "Standard" },
      properties: { provisioningState: "Succeeded", inboundNatRules: [] },
    });
    const [frontend] = balancer.properties.frontendIPConfigurations;
    expect(frontend).toMatchObject({
      ...id("loadBalancers/demo-lb/frontendIPConfigurations/front"),
      etag: balancer.etag,
      properties: {
        loadBalancingRules: [id("loadBalancers/demo-lb/loadBalancingRules/LBRuleHTTPS")],
        outboundRules: [id("loadBalancers/demo-lb/outboundRules/OutboundNATAllProtocols")],
      },
    });
  });

  it("gives network cards addresses of their subnet at once, and makes them again where they are", async () => {
    const made = await azure.call("PUT", at("networkInterfaces/a-nic"), { body: networkCard(azure, "nodes") });
    expect(made).toMatchObject({
      status: 201,
      body: {
        properties: {
          provisioningState: "Succeeded",
          macAddress: expect.stringMatching(/^00-0D-3A-/) as string,
          ipConfigurations: [
            { name: "pipConfig", properties: { privateIPAddress: "10.1.0.4", privateIPAllocationMethod: "Dynamic" } },
          ],
        },
      },
    });
    expect(made.headers["azure-asyncoperation"]).toBeUndefined();
    const second = await azure.call("PUT", at("networkInterfaces/b-nic"), { body: networkCard(azure, "nodes") });
    expect(second.body.properties.ipConfigurations[0].properties.privateIPAddress).toBe("10.1.0.5");
    const again = await azure.call("PUT", at("networkInterfaces/a-nic"), { body: made.body });
    expect(again).toMatchObject({ status: 200 });
    expect(again.body.properties.ipConfigurations[0].properties.privateIPAddress).toBe("10.1.0.4");
  });

  it("takes back what it shows", async () => {
    for (const path of [
      vnet,
      "networkSecurityGroups/demo-nsg",
      "publicIPAddresses/demo-api",
      "natGateways/demo-natgw",
      "loadBalancers/demo-lb",
    ]) {
      const before = await get(path);
      expect(await azure.settle("PUT", at(path), { body: before })).toMatchObject({ body: { status: "Succeeded" } });
      expect(await get(path)).toEqual({
        ...before,
        etag: expect.any(String) as string,
        properties: expect.any(Object) as object,
      });
    }
    expect(azure.simulator.requests.violations).toEqual([]);
  });
});

describe("a change", () => {
  it("goes on after the answer, and excludes others meanwhile", async () => {
    const path = at("networkSecurityGroups/slow");
    const made = await azure.call("PUT", path, { body: inEastUs({}) });
    expect(made).toMatchObject({ status: 201, body: { properties: { provisioningState: "Updating" } } });
    const operation = made.headers["azure-asyncoperation"] as string;
    expect(operation).toContain("/providers/Microsoft.Network/locations/eastus/operations/");
    expect(await azure.call("GET", operation)).toMatchObject({ status: 200, body: { status: "InProgress" } });
    expect(await azure.call("PUT", path, { body: inEastUs({}) })).toMatchObject({
      status: 409,
      body: { error: { code: "AnotherOperationInProgress" } },
    });
    const nic = { ...networkCard(azure, "nodes") };
    const refers = {
      ...nic,
      properties: { ...nic.properties, networkSecurityGroup: id("networkSecurityGroups/slow") },
    };
    expect(await azure.call("PUT", at("networkInterfaces/c-nic"), { body: refers })).toMatchObject({
      status: 429,
      body: { error: { code: "RetryableError", details: [{ code: "ReferencedResourceNotProvisioned" }] } },
    });
    await azure.clock.advance(100);
    expect(await azure.call("GET", operation)).toMatchObject({ body: { status: "Succeeded" } });
    expect((await azure.call("GET", path)).body.properties.provisioningState).toBe("Succeeded");
    expect(await azure.settle("DELETE", path)).toMatchObject({ body: { status: "Succeeded" } });
    expect(await azure.call("GET", path)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
    expect((await azure.call("DELETE", path)).status).toBe(204);
  });

  it("of a subnet holds its network", async () => {
    const path = at(`${vnet}/subnets/more`);
    const first = await azure.call("PUT", path, { body: { properties: { addressPrefix: "10.2.0.0/16" } } });
    expect(first.status).toBe(201);
    const other = await azure.call("PUT", at(`${vnet}/subnets/other`), {
      body: { properties: { addressPrefix: "10.3.0.0/16" } },
    });
    expect(other).toMatchObject({ status: 409, body: { error: { code: "AnotherOperationInProgress" } } });
    await azure.clock.advance(100);
    expect(await azure.settle("DELETE", path)).toMatchObject({ body: { status: "Succeeded" } });
    expect(await azure.call("GET", path)).toMatchObject({ status: 404, body: { error: { code: "NotFound" } } });
  });

  it("is made for the version that was seen", async () => {
    const path = at("networkSecurityGroups/demo-nsg");
    const { etag } = await get("networkSecurityGroups/demo-nsg");
    const body = inEastUs({});
    expect(await azure.settle("PUT", path, { body, headers: { "if-match": etag } })).toMatchObject({ status: 200 });
    expect(await azure.call("PUT", path, { body, headers: { "if-match": etag } })).toMatchObject({
      status: 412,
      body: { error: { code: "PreconditionFailed", details: [{ code: "PreconditionFailedEtagMismatch" }] } },
    });
    expect((await azure.call("PUT", path, { body, headers: { "if-none-match": "*" } })).status).toBe(412);
  });

  it.each([
    [
      { kind: "operation-failed", code: "InternalServerError" } as const,
      { status: "Failed", error: { code: "InternalServerError" } },
      "Failed",
    ],
    [{ kind: "operation-vanishes" } as const, { error: { code: "ResourceNotFound" } }, "Succeeded"],
  ])("ends as planned: %j", async (action, end, state) => {
    await using fresh = await simulate({ faults: [{ method: "PUT", path: /virtualNetworks/, action }] });
    await fresh.call("PUT", "resourceGroups/demo", { body: { location: "eastus" } });
    const body = inEastUs({ addressSpace: { addressPrefixes: ["10.0.0.0/8"] } });
    expect((await fresh.settle("PUT", at(vnet), { body })).body).toMatchObject(end);
    await fresh.clock.advance(200);
    expect((await fresh.call("GET", at(vnet))).body.properties.provisioningState).toBe(state);
  });

  it("that is made at once fails in its answer", async () => {
    azure.simulator.faults.add({ method: "PUT", path: /networkInterfaces/, action: { kind: "operation-failed" } });
    const made = await azure.call("PUT", at("networkInterfaces/failed-nic"), { body: networkCard(azure, "nodes") });
    expect(made.body.properties.provisioningState).toBe("Failed");
    const again = await azure.call("PUT", at("networkInterfaces/failed-nic"), { body: networkCard(azure, "nodes") });
    expect(again.body.properties.provisioningState).toBe("Succeeded");
  });
});

describe("what is refused", () => {
  const space = { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } };
  const subnet = (name: string, addressPrefix: string) => ({ name, properties: { addressPrefix } });
  const rule = (name: string, more: object = {}) => ({
    name,
    properties: {
      protocol: "Tcp",
      priority: 2200,
      direction: "Inbound",
      access: "Allow",
      sourcePortRange: "*",
      destinationPortRange: "22",
      sourceAddressPrefix: "*",
      destinationAddressPrefix: "*",
      ...more,
    },
  });

  it.each([
    [
      "virtualNetworks/x",
      inEastUs({ addressSpace: { addressPrefixes: ["10.0.0.1/8"] }, subnets: [subnet("a", "10.0.0.0/16")] }),
      "InvalidCIDRNotation",
    ],
    ["virtualNetworks/x", inEastUs({ ...space, subnets: [subnet("a", "192.168.0.0/16")] }), "NetcfgInvalidSubnet"],
    [
      "virtualNetworks/x",
      inEastUs({ ...space, subnets: [subnet("a", "10.0.0.0/16"), subnet("b", "10.0.1.0/24")] }),
      "NetcfgSubnetRangesOverlap",
    ],
    ["virtualNetworks/x", inEastUs({ ...space, color: "red" }), "InvalidRequestContent"],
    ["virtualNetworks/x", { properties: space }, "LocationRequired"],
    ["networkSecurityGroups/x", inEastUs({ securityRules: [rule("a"), rule("b")] }), "SecurityRuleConflict"],
    [
      "networkSecurityGroups/x",
      inEastUs({ securityRules: [rule("a", { priority: 99 })] }),
      "SecurityRuleInvalidPriority",
    ],
    [
      "networkSecurityGroups/x",
      inEastUs({ securityRules: [rule("a", { protocol: "Smtp" })] }),
      "SecurityRuleInvalidProtocol",
    ],
    [
      "networkSecurityGroups/x",
      inEastUs({ securityRules: [rule("a", { sourceAddressPrefixes: ["10.0.0.0/8"] })] }),
      "SecurityRuleParameterInvalid",
    ],
    ["publicIPAddresses/x", inEastUs({}, { sku: { name: "Standard" } }), "PublicIPAddressAllocationMethodInvalid"],
    ["publicIPAddresses/x", standardIp("DEMO"), "InvalidDomainNameLabel"],
    ["publicIPAddresses/x", standardIp("demo-api"), "DnsRecordInUse"],
    ["publicIPAddresses/x", { ...standardIp(), zones: ["4"] }, "AvailabilityZoneNotSupported"],
    [
      "routeTables/x",
      inEastUs({
        routes: [{ name: "r", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "VirtualAppliance" } }],
      }),
      "InvalidRouteNextHop",
    ],
    ["natGateways/x", inEastUs({}), "NatGatewaySkuRequired"],
  ] as [string, unknown, string][])("PUT %s %j", async (path, body, code) => {
    expect(await azure.call("PUT", at(path), { body })).toMatchObject({ status: 400, body: { error: { code } } });
  });

  it("another place for what is there", async () => {
    const answer = await azure.call("PUT", at(vnet), { body: { ...inEastUs(space), location: "westus" } });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "InvalidResourceLocation" } } });
  });

  it("what names something that is not there, or that others have", async () => {
    const gateway = (path: string) => inEastUs({ publicIpAddresses: [id(path)] }, { sku: { name: "Standard" } });
    const codeOf = async (path: string, body: unknown) =>
      (await azure.call("PUT", at(path), { body })).body.error?.code as string;
    expect(await codeOf("natGateways/x", gateway("publicIPAddresses/none"))).toBe("InvalidResourceReference");
    expect(await codeOf("natGateways/x", gateway("publicIPAddresses/demo-api"))).toBe(
      "PublicIPReferencedByMultipleIPConfigs",
    );
    const body = networkCard(azure, "nodes", { subnet: id(`${vnet}/subnets/none`) });
    expect(await codeOf("networkInterfaces/x", body)).toBe("InvalidResourceReference");
    const given = (privateIPAddress: string) =>
      networkCard(azure, "nodes", { privateIPAllocationMethod: "Static", privateIPAddress });
    await azure.call("PUT", at("networkInterfaces/static"), { body: given("10.1.0.99") });
    expect(await codeOf("networkInterfaces/x", given("10.1.0.99"))).toBe("PrivateIPAddressInUse");
    expect(await codeOf("networkInterfaces/x", given("10.2.0.4"))).toBe("PrivateIPAddressNotInSubnet");
    const { properties, ...balancer } = publicBalancer(azure);
    const [lbRule] = properties.loadBalancingRules;
    const snat = { ...lbRule, properties: { ...lbRule?.properties, disableOutboundSnat: false } };
    expect(
      await codeOf("loadBalancers/demo-lb", { ...balancer, properties: { ...properties, loadBalancingRules: [snat] } }),
    ).toBe("LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule");
    expect(await codeOf("loadBalancers/demo-lb", { ...balancer, properties: { ...properties, probes: [] } })).toBe(
      "InvalidResourceReference",
    );
  });

  it.each([
    [`${vnet}/subnets/nodes`, "InUseSubnetCannotBeDeleted"],
    [vnet, "InUseSubnetCannotBeDeleted"],
    ["networkSecurityGroups/demo-nsg", "InUseNetworkSecurityGroupCannotBeDeleted"],
    ["routeTables/demo-routes", "InUseRouteTableCannotBeDeleted"],
    ["natGateways/demo-natgw", "InUseNatGatewayCannotBeDeleted"],
    ["publicIPAddresses/demo-api", "PublicIPAddressCannotBeDeleted"],
  ])("DELETE %s while it is in use", async (path, code) => {
    await azure.call("PUT", at("networkInterfaces/user"), { body: networkCard(azure, "nodes") });
    expect(await azure.call("DELETE", at(path))).toMatchObject({ status: 400, body: { error: { code } } });
  });
});

it("drops network cards from pools and rules that a change takes away", async () => {
  const pool = id("loadBalancers/demo-lb/backendAddressPools/back");
  const natRule = id("loadBalancers/demo-lb/inboundNatRules/vm");
  const front = id("loadBalancers/demo-lb/frontendIPConfigurations/front");
  const body = { properties: { frontendIPConfiguration: front, protocol: "Tcp", frontendPort: 2201, backendPort: 22 } };
  expect(await azure.settle("PUT", at("loadBalancers/demo-lb/inboundNatRules/vm"), { body })).toMatchObject({
    body: { status: "Succeeded" },
  });
  const card = networkCard(azure, "control", {
    loadBalancerBackendAddressPools: [pool],
    loadBalancerInboundNatRules: [natRule],
  });
  await azure.call("PUT", at("networkInterfaces/member"), { body: card });
  const configuration = { id: idOf(azure, "networkInterfaces/member/ipConfigurations/pipConfig") };
  expect((await get("loadBalancers/demo-lb")).properties).toMatchObject({
    backendAddressPools: [{ properties: { backendIPConfigurations: [configuration] } }],
    inboundNatRules: [{ name: "vm", properties: { backendIPConfiguration: configuration } }],
  });
  await azure.settle("PUT", at("loadBalancers/demo-lb"), { body: publicBalancer(azure) });
  const [{ properties }] = (await get("networkInterfaces/member")).properties.ipConfigurations;
  expect(properties).toMatchObject({ loadBalancerBackendAddressPools: [pool], loadBalancerInboundNatRules: [] });
});

it("deletes a group with everything in it, and listens nowhere any more", async () => {
  await using fresh = await simulate();
  await makeNetwork(fresh);
  expect(await fresh.settle("DELETE", "resourceGroups/demo")).toMatchObject({ status: 200 });
  expect(fresh.simulator.state.resources).toEqual([]);
});
