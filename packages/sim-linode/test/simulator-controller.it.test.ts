import type { BalancedServiceV1, GuestCloudV1 } from "@capstan/contract/v1";
import { describe, expect, it } from "vitest";
import { only, simulate, smallInstance } from "../src/testing.ts";

/** A simulated account with two machines that run, and what its controllers in clusters see of it. */
const account = async () => {
  let connected: GuestCloudV1 | undefined;
  const guest = {
    boot: () => undefined,
    shutdown: () => undefined,
    connect: (cloud: GuestCloudV1) => (connected = cloud),
  };
  const simulation = await simulate({ guest });
  const { client, clock } = simulation;
  const make = async (label: string) => (await client.instances.create({ ...smallInstance, label, booted: true })).id;
  const ids = [await make("node-1"), await make("node-2")];
  await clock.advance(1000);
  if (connected === undefined) throw new Error("no cloud was connected");
  const real = connected;
  const cloud = {
    ...real,
    balance: (asked: BalancedServiceV1) => real.balance(asked, starting),
    unbalance: (asked: BalancedServiceV1) => real.unbalance(asked, starting),
  };
  return { simulation, cloud, ids };
};

const service = (ids: readonly number[], change: Partial<BalancedServiceV1> = {}): BalancedServiceV1 => ({
  uid: "8f14e45f-ceea-467f-a0e6-8f2b0d5d6c11",
  namespace: "default",
  name: "web",
  cluster: "kubernetes",
  annotations: {},
  ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
  healthCheckNodePort: undefined,
  nodes: ids.map((id, index) => ({ name: `node-${index + 1}`, providerID: `linode://${id}`, addresses: [] })),
  ...change,
});

const image = "docker.io/linode/linode-cloud-controller-manager:v0.9.1";
const environment = { LINODE_API_TOKEN: "simulated-token", LINODE_REGION: "us-ord" };
const starting = { image, command: ["--v=3"], environment, file: () => undefined };

describe("Linode's cloud controller manager", () => {
  it("is known by its image or its program, and by nothing else", async () => {
    const { cloud, simulation } = await account();
    await using _simulation = simulation;
    const duties = ["nodes", "lifecycle", "services"];
    expect(cloud.controller({ image, command: ["--v=3"] })).toEqual(duties);
    expect(cloud.controller({ image: "mirror.test/ccm:1", command: ["/linode-cloud-controller-manager"] })).toEqual(
      duties,
    );
    expect(cloud.controller({ image: "registry.k8s.io/kube-controller-manager:v1.34.2", command: [] })).toBeUndefined();
  });

  it.each([
    [environment, undefined],
    [{ LINODE_REGION: "us-ord" }, "LINODE_API_TOKEN must be set in the environment (use a k8s secret)"],
    [{ LINODE_API_TOKEN: "simulated-token" }, "LINODE_REGION must be set in the environment (use a k8s secret)"],
    [{ ...environment, LINODE_API_TOKEN: "wrong" }, 'linode api token "LINODE_API_TOKEN" is invalid'],
  ])("starts only with region and a token of the account: %o", async (given, reason) => {
    const { cloud, simulation } = await account();
    await using _simulation = simulation;
    const refused = cloud.refusal({ ...starting, environment: given });
    if (reason === undefined) expect(refused).toBeUndefined();
    else expect(refused).toContain(reason);
  });

  it("finds instances by provider id, else by label, and not those that are gone", async () => {
    const { cloud, ids, simulation } = await account();
    await using _simulation = simulation;
    const { client, clock } = simulation;
    const [first = 0] = ids;
    const found = cloud.instance({ name: "node-1" });
    expect(found).toMatchObject({
      providerID: `linode://${first}`,
      type: "g6-standard-1",
      region: "us-ord",
      isOff: false,
    });
    expect(found?.addresses.map(({ type }) => type)).toEqual(["Hostname", "ExternalIP", "InternalIP", "ExternalIP"]);
    expect(cloud.instance({ name: "other", providerID: `linode://${first}` })).toEqual(found);
    expect(cloud.instance({ name: "node-1", providerID: "linode://1" })).toBeUndefined();
    await client.instances.shutdown(first);
    await clock.advance(1000);
    expect(cloud.instance({ name: "node-1" })?.isOff).toBe(true);
    await client.instances.delete(first);
    await clock.advance(1000);
    expect(cloud.instance({ name: "node-1" })).toBeUndefined();
  });
});

describe("the NodeBalancer of a Service", () => {
  it("has a port for each of its own with every Node behind it, follows both, and goes with it", async () => {
    const { cloud, ids, simulation } = await account();
    await using _simulation = simulation;
    const { client } = simulation;
    const ingress = await cloud.balance(
      service(ids, { annotations: { "service.beta.kubernetes.io/linode-loadbalancer-tags": "team-a" } }),
    );
    const balancer = only(await client.nodeBalancers.list());
    expect(ingress).toEqual([{ hostname: balancer.hostname, ip: balancer.ipv4 }]);
    expect(balancer).toMatchObject({
      label: expect.stringMatching(/^ccm-[0-9a-f]{12}$/),
      tags: ["kubernetes", "team-a"],
    });
    const config = only(await client.nodeBalancers.listConfigs(balancer.id));
    expect(config).toMatchObject({ port: 80, protocol: "tcp", check: "connection", nodes_status: { up: 2, down: 0 } });
    const nodes = await client.nodeBalancers.listNodes(balancer.id, config.id);
    expect(nodes.map(({ address, label }) => [label, address.split(":")[1]])).toEqual([
      ["node-1", "30080"],
      ["node-2", "30080"],
    ]);

    const ports = [
      { name: "http", protocol: "TCP", port: 80, nodePort: 30_080 },
      { name: "https", protocol: "TCP", port: 443, nodePort: 30_443 },
    ];
    await cloud.balance(service(ids.slice(1), { ports }));
    const configs = await client.nodeBalancers.listConfigs(balancer.id);
    expect(configs.map(({ id, port, nodes_status: { up } }) => [id === config.id, port, up])).toEqual([
      [true, 80, 1],
      [false, 443, 1],
    ]);
    await cloud.balance(service(ids, { ports: ports.slice(1) }));
    expect(only(await client.nodeBalancers.listConfigs(balancer.id))).toMatchObject({
      port: 443,
      nodes_status: { up: 2 },
    });

    await cloud.unbalance(service(ids));
    await cloud.unbalance(service(ids));
    expect(await client.nodeBalancers.list()).toEqual([]);
  });

  it("stays where its Service says so, and may be one that is there", async () => {
    const { cloud, ids, simulation } = await account();
    await using _simulation = simulation;
    const { client } = simulation;
    const { id } = await client.nodeBalancers.create({ region: "us-ord", label: "mine" });
    const annotations = {
      "service.beta.kubernetes.io/linode-loadbalancer-nodebalancer-id": String(id),
      "service.beta.kubernetes.io/linode-loadbalancer-preserve": "true",
      "service.beta.kubernetes.io/linode-loadbalancer-port-80": '{"protocol":"http","proxy-protocol":"v2"}',
    };
    await cloud.balance(service(ids, { annotations }));
    expect(only(await client.nodeBalancers.listConfigs(id))).toMatchObject({ protocol: "http", proxy_protocol: "v2" });
    await cloud.unbalance(service(ids, { annotations }));
    expect(only(await client.nodeBalancers.list())).toMatchObject({ id });
  });

  it.each([
    [
      "a protocol that there is not",
      { "service.beta.kubernetes.io/linode-loadbalancer-default-protocol": "sctp" },
      "invalid protocol",
    ],
    [
      "settings of a port that are no JSON",
      { "service.beta.kubernetes.io/linode-loadbalancer-port-80": "{" },
      "is not JSON",
    ],
    [
      "a NodeBalancer that there is not",
      { "service.beta.kubernetes.io/linode-loadbalancer-nodebalancer-id": "1" },
      "[404]",
    ],
  ])("is refused with %s, and nothing is left", async (_case, annotations, reason) => {
    const { cloud, ids, simulation } = await account();
    await using _simulation = simulation;
    await expect(cloud.balance(service(ids, { annotations }))).rejects.toThrow(reason);
    expect(await simulation.client.nodeBalancers.list()).toEqual([]);
  });
});
