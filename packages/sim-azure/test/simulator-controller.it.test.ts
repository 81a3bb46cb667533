import type { BalancedServiceV1, GuestCloudV1, StartingContainerV1 } from "@capstan/contract/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeVm, vmAt } from "./cluster-machine.ts";
import { at, idOf, makeNetwork } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
let cloud: GuestCloudV1;

beforeAll(async () => {
  const guest = { boot: () => undefined, shutdown: () => undefined, connect: (each: GuestCloudV1) => (cloud = each) };
  azure = await simulate({ guest });
  await makeNetwork(azure);
  for (const name of ["node-1", "node-2"]) await makeVm(azure, name);
});
afterAll(() => azure[Symbol.asyncDispose]());

const image = "mcr.microsoft.com/oss/v2/kubernetes/azure-cloud-controller-manager:v1.34.3";
const path = "/etc/kubernetes/azure.json";

const configOf = (change: object = {}) => ({
  tenantId: azure.simulator.tenantId,
  subscriptionId: azure.simulator.subscriptionId,
  aadClientId: azure.simulator.principals[0]?.clientId,
  aadClientSecret: azure.simulator.principals[0]?.clientSecret,
  resourceGroup: "demo",
  location: "eastus",
  vnetName: "demo-vnet",
  vnetResourceGroup: "demo",
  subnetName: "nodes",
  securityGroupName: "demo-nsg",
  securityGroupResourceGroup: "demo",
  loadBalancerName: "",
  ...change,
});

const container = (text: string | undefined, change: Partial<StartingContainerV1> = {}): StartingContainerV1 => ({
  image,
  command: [
    "cloud-controller-manager",
    "--cloud-provider=azure",
    `--cloud-config=${path}`,
    "--controllers=*,-cloud-node",
  ],
  environment: {},
  file: (wanted) => (wanted === path ? text : undefined),
  ...change,
});

const configured = (change: object = {}): StartingContainerV1 => container(JSON.stringify(configOf(change)));

const vmId = (name: string): string => `/subscriptions/${azure.simulator.subscriptionId}/${vmAt(name)}`;

const uid = "8f14e45f-ceea-467f-a0e6-8f2b0d5d6c11";
const frontend = `a${uid.replaceAll("-", "")}`.slice(0, 32);

const service = (change: Partial<BalancedServiceV1> = {}): BalancedServiceV1 => ({
  uid,
  namespace: "default",
  name: "web",
  cluster: "kubernetes",
  annotations: {},
  ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
  healthCheckNodePort: undefined,
  nodes: ["node-1", "node-2"].map((name) => ({ name, providerID: `azure://${vmId(name)}`, addresses: [] })),
  ...change,
});

const get = async (resource: string) => azure.call("GET", at(resource));

const own = (part: string) => ({ id: idOf(azure, `loadBalancers/kubernetes/${part}`) });

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).toSorted();

/** Lets time pass until the work is done. */
const during = async <T>(work: Promise<T>): Promise<T> => {
  let over = false;
  void work.catch(() => undefined).finally(() => (over = true));
  await azure.clock.advanceUntil(() => over);
  return work;
};

describe("Azure's controllers", () => {
  it.each([
    [
      ["cloud-controller-manager", "--cloud-provider=azure", "--controllers=*,-cloud-node"],
      ["lifecycle", "services"],
    ],
    [
      ["cloud-controller-manager", "--cloud-provider=azure"],
      ["nodes", "lifecycle", "services"],
    ],
    [["cloud-controller-manager", "--cloud-provider=azure", "--controllers=service"], ["services"]],
    [["cloud-controller-manager", "--cloud-provider=other"], undefined],
    [["/usr/local/bin/cloud-node-manager", "--node-name=node-1"], ["own-node"]],
    [["kube-controller-manager", "--cloud-provider=azure"], undefined],
  ])("are known by program and arguments: %j", (command, duties) => {
    expect(cloud.controller({ image: "mirror.test/any:1", command })).toEqual(duties);
  });

  it("are known by their image too", () => {
    expect(cloud.controller({ image, command: ["--cloud-provider=azure"] })).toContain("services");
    expect(cloud.controller({ image: image.replace("controller", "node"), command: [] })).toEqual(["own-node"]);
  });

  it("end without the file of their settings, or when it is cut", () => {
    expect(cloud.refusal(container(undefined))).toBe(
      `Couldn't open cloud provider configuration ${path}: open ${path}: no such file or directory`,
    );
    expect(cloud.refusal(container('{"cloud": '))).toContain("is not JSON");
    expect(cloud.refusal(configured())).toBeUndefined();
    expect(cloud.refusal(container(undefined, { command: ["cloud-node-manager"] }))).toBeUndefined();
  });

  it("find machines by provider id in any letter case, else by name", () => {
    const found = cloud.instance({ name: "NODE-1" });
    expect(found).toMatchObject({
      providerID: `azure://${vmId("node-1")}`,
      type: "Standard_D2s_v3",
      region: "eastus",
      zone: "eastus-1",
      isOff: false,
      addresses: [
        { type: "InternalIP", address: "10.0.0.4" },
        { type: "Hostname", address: "node-1" },
      ],
    });
    const providerID = `azure://${vmId("node-1").toUpperCase()}`;
    expect(cloud.instance({ name: "other", providerID })).toEqual(found);
    expect(cloud.instance({ name: "node-3" })).toBeUndefined();
  });
});

describe("the load balancer of a Service", () => {
  it("has an address, a rule and a probe for each port, and the machines behind it", async () => {
    const [ingress] = await during(cloud.balance(service(), configured()));
    const address = await get(`publicIPAddresses/kubernetes-${frontend}`);
    expect(address.body).toMatchObject({
      sku: { name: "Standard" },
      tags: { "k8s-azure-service": "default/web", "k8s-azure-cluster-name": "kubernetes" },
      properties: { ipAddress: ingress?.ip },
    });
    const balancer = await get("loadBalancers/kubernetes");
    expect(balancer.body.properties).toMatchObject({
      frontendIPConfigurations: [{ name: frontend, properties: { publicIPAddress: { id: address.body.id } } }],
      backendAddressPools: [{ name: "kubernetes", properties: { backendIPConfigurations: [{}, {}] } }],
      loadBalancingRules: [
        {
          name: `${frontend}-TCP-80`,
          properties: {
            frontendPort: 80,
            backendPort: 80,
            enableFloatingIP: true,
            probe: own(`probes/${frontend}-TCP-80`),
            backendAddressPool: own("backendAddressPools/kubernetes"),
          },
        },
      ],
      probes: [{ name: `${frontend}-TCP-80`, properties: { protocol: "Tcp", port: 30_080 } }],
    });
    expect((await get("networkSecurityGroups/demo-nsg")).body.properties.securityRules).toMatchObject([
      { name: "allow_apiserver" },
      {
        name: expect.stringMatching(/^k8s-azure-lb_allow_IPv4_/) as string,
        properties: {
          priority: 500,
          access: "Allow",
          destinationAddressPrefix: ingress?.ip,
          destinationPortRanges: ["80"],
        },
      },
    ]);
    expect(await during(cloud.balance(service(), configured()))).toEqual([ingress]);
  });

  it("follows ports and Nodes, beside that of another Service", async () => {
    const other = { uid: "11111111-1111-1111-1111-111111111111", name: "other", nodes: service().nodes.slice(1) };
    await during(cloud.balance(service(other), configured()));
    const ports = [{ name: "https", protocol: "TCP", port: 443, nodePort: 30_443 }];
    const nodes = service().nodes.slice(1);
    await during(cloud.balance(service({ ports, nodes, healthCheckNodePort: 31_000 }), configured()));
    const { properties } = (await get("loadBalancers/kubernetes")).body;
    expect(names(properties.loadBalancingRules)).toEqual([
      "a1111111111111111111111111111111-TCP-80",
      `${frontend}-TCP-443`,
    ]);
    expect(properties.backendAddressPools[0].properties.backendIPConfigurations).toHaveLength(1);
    expect(properties.probes).toContainEqual(
      expect.objectContaining({
        properties: expect.objectContaining({ protocol: "Http", port: 31_000, requestPath: "/healthz" }) as object,
      }),
    );

    await during(cloud.unbalance(service(other), configured()));
    expect((await get("loadBalancers/kubernetes")).body.properties.loadBalancingRules).toHaveLength(1);
    await during(cloud.unbalance(service(), configured()));
    await during(cloud.unbalance(service(), configured()));
    expect(await get("loadBalancers/kubernetes")).toMatchObject({ status: 404 });
    expect(await get(`publicIPAddresses/kubernetes-${frontend}`)).toMatchObject({ status: 404 });
    expect((await get("networkSecurityGroups/demo-nsg")).body.properties.securityRules).toMatchObject([
      { name: "allow_apiserver" },
    ]);
    const card = (await get("networkInterfaces/node-2-nic")).body;
    expect(card.properties.ipConfigurations[0].properties.loadBalancerBackendAddressPools).toEqual([]);
  });

  it("is inside of the network where the Service says so", async () => {
    const annotations = { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" };
    const [ingress] = await during(cloud.balance(service({ annotations }), configured()));
    expect(ingress?.ip).toMatch(/^10\.1\./);
    expect((await get("loadBalancers/kubernetes-internal")).body.properties.frontendIPConfigurations).toMatchObject([
      { name: frontend, properties: { privateIPAddress: ingress?.ip } },
    ]);
    await during(cloud.unbalance(service({ annotations }), configured()));
    expect(await get("loadBalancers/kubernetes-internal")).toMatchObject({ status: 404 });
  });

  it("is added to one that is there when the settings name it, and leaves it in the end", async () => {
    const named = configured({ loadBalancerName: "demo-lb" });
    const before = (await get("loadBalancers/demo-lb")).body.properties;
    await during(cloud.balance(service(), named));
    const { loadBalancingRules } = (await get("loadBalancers/demo-lb")).body.properties;
    expect(loadBalancingRules.map(({ name }: { name: string }) => name)).toEqual(["LBRuleHTTPS", `${frontend}-TCP-80`]);
    await during(cloud.unbalance(service(), named));
    const after = (await get("loadBalancers/demo-lb")).body.properties;
    expect(after.loadBalancingRules).toHaveLength(1);
    expect(after.frontendIPConfigurations).toHaveLength(before.frontendIPConfigurations.length);
  });

  it.each([
    [{ aadClientSecret: "wrong" }, "AADSTS7000215"],
    [{ aadClientId: "33333333-3333-3333-3333-333333333333" }, "AADSTS700016"],
    [{ tenantId: "33333333-3333-3333-3333-333333333333" }, "AADSTS90002"],
    [{ subscriptionId: "33333333-3333-3333-3333-333333333333" }, "SubscriptionNotFound"],
    [{ resourceGroup: "missing" }, "missing"],
  ])("is refused with %j", async (change, reason) => {
    await expect(during(cloud.balance(service(), configured(change)))).rejects.toThrow(reason);
  });
});
