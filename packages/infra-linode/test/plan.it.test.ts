import { isCapstanError } from "@capstan/contract";
import type { CloudPlanV1, PlanItemV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { createProvider } from "../src/index.ts";
import { only, simulate, smallInstance, type Simulation } from "@capstan/sim-linode/testing";

const object = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
  kind,
  metadata: { name, namespace: "default", labels: { "cluster.x-k8s.io/cluster-name": "orchid" } },
  spec,
});

const machine = (spec: object = {}, name = "node"): KubeObject =>
  object("LinodeMachine", name, { region: "us-ord", type: "g6-standard-2", ...spec });

const cluster = (spec: object = {}): KubeObject => object("LinodeCluster", "orchid", { region: "us-ord", ...spec });

/** Plans with the account's own token; whatever is read, nothing is written. */
const plan = async (
  { simulator }: Simulation,
  item: Partial<PlanItemV1>,
  token = simulator.token,
  secret?: KubeObject,
  others: readonly KubeObject[] = [],
): Promise<CloudPlanV1> => {
  const variables: Readonly<Record<string, string>> = { LINODE_URL: simulator.url, LINODE_TOKEN: token };
  const provider = createProvider({
    simulated: () => undefined,
    variable: (name: string) => variables[name],
  } as unknown as Parameters<typeof createProvider>[0]);
  const { writes } = simulator.requests;
  const whole = { before: undefined, after: undefined, replaced: false, count: 1, infraCluster: undefined, ...item };
  const { signal } = new AbortController();
  const result = await provider.plan!({
    items: [whole],
    find: async ({ kind }, { name, namespace }) =>
      others.find((each) => each.kind === kind && each.metadata.name === name && each.metadata.namespace === namespace),
    secret: async () => secret,
    signal,
  });
  expect(simulator.requests.writes).toBe(writes);
  expect(simulator.requests.violations).toEqual([]);
  return result;
};

const drift = { image: "linode/ubuntu22.04" };

describe("a LinodeMachine in a plan", () => {
  it("that is new is an instance with its price", async () => {
    await using simulation = await simulate();
    const { resources, problems } = await plan(simulation, { after: machine(), count: 3 });
    expect(problems).toEqual([]);
    expect(resources).toMatchObject([
      {
        action: "create",
        type: "instance",
        count: 3,
        description: "g6-standard-2 in us-ord, linode/ubuntu22.04",
        price: { monthly: 24, currency: "USD" },
      },
    ]);
  });

  it("that is there stays, changes its tags, is replaced or deleted, and shows what differs", async () => {
    await using simulation = await simulate();
    const tags = ["capstan-uid=0b8b9f3c-5f1c-4b7c-9d3a-2f5f0f1b8c11", "orchid"];
    const { id, label } = await simulation.client.instances.create({ ...smallInstance, tags });
    await simulation.clock.advance(500);
    const providerID = `linode://${id}`;
    const name = `${label} (${id})`;
    const same = machine({ ...drift, type: "g6-standard-1", providerID });
    expect(only((await plan(simulation, { before: same, after: same })).resources)).toMatchObject({
      action: "keep",
      name,
      drift: "it is offline",
    });
    await simulation.client.instances.boot(id);
    await simulation.clock.advance(1000);
    const kept = only((await plan(simulation, { before: same, after: same })).resources);
    expect(kept).toMatchObject({ action: "keep", name });
    expect(kept.drift).toBeUndefined();
    const tagged = machine({ ...drift, type: "g6-standard-1", providerID, tags: ["team-a"] });
    expect(only((await plan(simulation, { before: same, after: tagged })).resources)).toMatchObject({
      action: "change",
      changes: [{ field: "tags", from: expect.arrayContaining(tags), to: expect.arrayContaining(["team-a", ...tags]) }],
    });
    const larger = machine({ ...drift, providerID });
    expect(only((await plan(simulation, { before: larger, after: larger })).resources)).toMatchObject({
      action: "keep",
      drift: "type is g6-standard-1, want g6-standard-2",
    });
    expect(only((await plan(simulation, { before: same, after: machine(), replaced: true })).resources)).toMatchObject({
      action: "replace",
      description: expect.stringContaining("g6-standard-2") as string,
      price: { monthly: 24 },
    });
    expect(only((await plan(simulation, { before: same })).resources)).toMatchObject({
      action: "delete",
      price: { monthly: 12 },
    });
    await simulation.client.instances.delete(id);
    await simulation.clock.advance(1000);
    expect(only((await plan(simulation, { before: same, after: same })).resources)).toMatchObject({
      action: "keep",
      drift: `instance ${id} no longer exists and is not recreated`,
    });
  });

  it.each([
    [{ region: "moon" }, /^spec\.region: there is no region moon; there are us-ord, /],
    [{ type: "huge" }, /^spec\.type: there is no plan huge; there are g6-nanode-1, /],
    [{ image: "private/9" }, /^spec\.image: there is no image private\/9/],
    [{ vpcID: 9 }, /^spec\.vpcID: there is no VPC 9/],
    [
      { credentialsRef: { name: "mine" } },
      /^spec\.credentialsRef: there is no Secret default\/mine; create it, with the token as apiToken/,
    ],
  ])("with %j is a problem", async (spec, words) => {
    await using simulation = await simulate();
    const { problems } = await plan(simulation, { after: machine(spec) });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
  });

  it("takes the Secret that the LinodeCluster names, whose token has to be accepted", async () => {
    await using simulation = await simulate();
    const infraCluster = cluster({ credentialsRef: { name: "shared" } });
    const secret = (apiToken: string) =>
      ({
        metadata: { name: "shared", namespace: "default", resourceVersion: apiToken },
        data: { apiToken: Buffer.from(apiToken).toString("base64") },
      }) as unknown as KubeObject;
    const item = { after: machine(), infraCluster };
    expect(await plan(simulation, item, "wrong", secret(simulation.simulator.token))).toMatchObject({ problems: [] });
    const { problems } = await plan(simulation, item, simulation.simulator.token, secret("wrong"));
    expect(problems).toMatchObject([
      { message: expect.stringContaining("check the token under the key apiToken") as string },
    ]);
    expect(await plan(simulation, item, "x", secret(""))).toMatchObject({
      problems: [{ message: expect.stringContaining('has no key "apiToken"') as string }],
    });
  });

  it("is not planned at a cloud that does not answer", async () => {
    await using simulation = await simulate();
    simulation.simulator.faults.add({ times: Number.POSITIVE_INFINITY, action: { kind: "status", status: 503 } });
    const error: unknown = await plan(simulation, { after: machine() }).catch((thrown: unknown) => thrown);
    expect(isCapstanError(error, "linode.unavailable")).toBe(true);
  });
});

describe("a LinodeCluster in a plan", () => {
  it("is nothing where it stands beside what its Cluster refers to", async () => {
    await using simulation = await simulate();
    expect(await plan(simulation, { after: cluster({}), additional: true })).toEqual({ resources: [], problems: [] });
  });

  it("is a NodeBalancer, unless the user has an endpoint", async () => {
    await using simulation = await simulate();
    expect(await plan(simulation, { after: cluster() })).toMatchObject({
      resources: [{ action: "create", type: "NodeBalancer", name: "orchid", price: { monthly: 10, currency: "USD" } }],
      problems: [],
    });
    const own = cluster({ controlPlaneEndpoint: { host: "192.0.2.1", port: 6443 } });
    expect(await plan(simulation, { after: own })).toEqual({ resources: [], problems: [] });
  });

  it("keeps the one that it has, deletes it, or has lost it", async () => {
    await using simulation = await simulate();
    const { id, ipv4: host } = await simulation.client.nodeBalancers.create({ region: "us-ord", label: "orchid" });
    const has = cluster({ controlPlaneEndpoint: { host, port: 6443 }, network: { nodeBalancerID: id } });
    const name = `orchid (${id})`;
    expect(await plan(simulation, { before: has, after: has })).toMatchObject({
      resources: [{ action: "keep", name }],
    });
    expect(await plan(simulation, { before: has })).toMatchObject({ resources: [{ action: "delete", name }] });
    await simulation.client.nodeBalancers.delete(id);
    expect(await plan(simulation, { before: has, after: has })).toMatchObject({
      resources: [{ action: "keep", drift: `NodeBalancer ${id} no longer exists; its address cannot be recovered` }],
    });
    expect(await plan(simulation, { after: has })).toMatchObject({
      problems: [{ message: expect.stringContaining(`NodeBalancer ${id} does not exist`) as string }],
    });
  });
});

describe("references in a plan", () => {
  const others = [object("LinodeVPC", "net", {}), object("LinodeFirewall", "wall", {})];
  const problemsOf = async (simulation: Simulation, item: Partial<PlanItemV1>): Promise<readonly string[]> =>
    (await plan(simulation, item, undefined, undefined, others)).problems.map(({ message }) => message);

  it("to what will not be there are problems, of machines and clusters", async () => {
    await using simulation = await simulate();
    const refs = { vpcRef: { name: "net" }, firewallRef: { name: "wll" }, placementGroupRef: { name: "apart" } };
    expect(await problemsOf(simulation, { after: machine(refs) })).toEqual([
      "spec.firewallRef: there is no LinodeFirewall wll; create it",
      "spec.placementGroupRef: there is no LinodePlacementGroup apart; create it",
    ]);
    const elsewhere = { vpcRef: { name: "net", namespace: "other" }, nodeBalancerFirewallRef: { name: "wall" } };
    const missing = ["spec.vpcRef: there is no LinodeVPC net; create it"];
    expect(await problemsOf(simulation, { after: cluster(elsewhere) })).toEqual(missing);
    expect(await problemsOf(simulation, { before: cluster(), after: cluster(elsewhere) })).toEqual(missing);
  });

  it("are of no matter once a cluster is ready or goes", async () => {
    await using simulation = await simulate();
    const lost = cluster({ vpcRef: { name: "gone" } });
    const ready = { ...lost, status: { ready: true } };
    expect(await problemsOf(simulation, { before: ready, after: ready })).toEqual([]);
    expect(await problemsOf(simulation, { before: lost })).toEqual([]);
  });
});

it("names what stands beside machines, until its object says that it is there", async () => {
  await using simulation = await simulate();
  const firewall = object("LinodeFirewall", "wall", { enabled: true });
  expect(only((await plan(simulation, { after: firewall })).resources)).toMatchObject({
    action: "create",
    type: "firewall",
    name: "wall",
  });
  const ready = { ...firewall, status: { ready: true } };
  expect(only((await plan(simulation, { before: ready, after: ready })).resources).action).toBe("keep");
});
