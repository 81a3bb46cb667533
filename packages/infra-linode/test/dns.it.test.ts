import { Label } from "@capstan/contract";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeCluster, LinodeMachine } from "../src/api.ts";
import {
  clusterName,
  createCluster,
  createMachine,
  createNamespace,
  createSecret,
  getCluster,
  getMachine,
  namespace,
  patchSpec,
  readyOf,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const network = { loadBalancerType: "dns", enableVPCBackends: false, dnsRootDomain: "example.com" } as const;

const startZone = async (): Promise<World & { readonly zone: number }> => {
  const world = await startWorld();
  const { id: zone } = await world.client.domains.create({
    domain: "example.com",
    type: "master",
    soa_email: "ops@example.com",
  });
  return Object.assign(world, { zone });
};

const recordsOf = async ({ client, zone }: Awaited<ReturnType<typeof startZone>>): Promise<readonly string[]> =>
  (await client.domains.listRecords(zone))
    .map(({ name, target, type }) => `${name} ${type} ${target.replace(/[0-9a-f]{20}$/, "MARK")}`)
    .toSorted();

/** Whose the name is: for upstream's controllers, and for ours. */
const ownerRecords = ["prod TXT prod", "prod TXT capstan-owner=default/prod/MARK"];

const comeUp = async (world: World, name: string): Promise<readonly string[]> => {
  await createMachine(world, name, { cluster: "prod", controlPlane: true });
  await world.until(async () => (await getMachine(world, name))?.status?.ready === true);
  const addresses = (await getMachine(world, name))?.status?.addresses ?? [];
  return addresses
    .filter(({ type }) => type === "ExternalIP")
    .map(({ address }) => `prod ${address.includes(":") ? "AAAA" : "A"} ${address}`);
};

const becomeReady = ({ api }: World, name: string) =>
  api.patch(
    MachineResource,
    { namespace, name },
    { type: "merge", body: { status: { conditions: [{ type: "Ready", status: "True", reason: "Ready" }] } } },
    { subresource: "status" },
  );

it("makes a name the endpoint, with the addresses of the machines that serve, and leaves none of it", async () => {
  await using world = await startZone();
  await createCluster(world, "prod", { network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  expect((await getCluster(world, "prod"))?.spec.controlPlaneEndpoint).toEqual({
    host: "prod.example.com",
    port: 6443,
  });
  await reportInfrastructure(world, "prod");
  const first = await comeUp(world, "cp-0");
  expect(first.length).toBe(2);
  await world.until(async () => (await recordsOf(world)).length === 4);
  expect(await recordsOf(world)).toEqual([...first, ...ownerRecords].toSorted());

  const second = await comeUp(world, "cp-1");
  await world.pass(30_000);
  expect(await recordsOf(world), "a machine that does not serve yet").toEqual([...first, ...ownerRecords].toSorted());
  await becomeReady(world, "cp-1");
  await world.until(async () => (await recordsOf(world)).length === 6);
  expect(await recordsOf(world)).toEqual([...first, ...second, ...ownerRecords].toSorted());

  await becomeReady(world, "cp-0");
  await world.api.delete(LinodeMachine, { namespace, name: "cp-0" });
  await world.until(async () => (await recordsOf(world)).length === 4);
  expect(await recordsOf(world)).toEqual([...second, ...ownerRecords].toSorted());

  await world.client.domains.createRecord(world.zone, { type: "A", name: "www", target: "192.0.2.1" });
  await world.api.delete(LinodeMachine, { namespace, name: "cp-1" });
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(await recordsOf(world)).toEqual(["www A 192.0.2.1"]);
  expect(world.simulator.state.nodeBalancers).toEqual([]);
  expect(world.simulator.requests.violations).toEqual([]);
});

it("has its own records cached as long as the cluster says, also when that changes or somebody changes them", async () => {
  await using world = await startZone();
  const { client, simulator, zone } = world;
  await createCluster(world, "prod", { network });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  await comeUp(world, "cp-0");
  await world.until(async () => (await recordsOf(world)).length === 4);
  await client.domains.createRecord(zone, { type: "TXT", name: "prod", target: "theirs", ttl_sec: 3600 });
  const times = async () =>
    (await client.domains.listRecords(zone)).map(({ target, ttl_sec: ttl, type }) =>
      type === "TXT" ? `${target.replace(/=.*/, "")} ${ttl}` : ttl,
    );
  const become = (ttl: number) =>
    world.until(
      async () => (await times()).join() === [`capstan-owner ${ttl}`, `prod ${ttl}`, ttl, ttl, "theirs 3600"].join(),
    );
  await become(30);
  await patchSpec(world, LinodeCluster, "prod", { network: { dnsTTLsec: 300 } });
  await become(300);
  const [owner] = await client.domains.listRecords(zone);
  await client.domains.updateRecord(zone, owner!.id, { ttl_sec: 86_400 });
  await become(300);
  // Linode knows no such time: it takes one beside it, and that is no reason to write again and again.
  await patchSpec(world, LinodeCluster, "prod", { network: { dnsTTLsec: 100 } });
  await become(120);
  const { writes } = simulator.requests;
  await world.pass(700_000);
  expect(simulator.requests.writes).toBe(writes);
  expect(simulator.requests.violations).toEqual([]);
});

it("leaves a name alone that another cluster has", async () => {
  await using world = await startZone();
  await world.client.domains.createRecord(world.zone, { type: "TXT", name: "prod", target: "somebody" });
  await world.client.domains.createRecord(world.zone, { type: "A", name: "prod", target: "192.0.2.1" });
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "OwnedByAnother");
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(await recordsOf(world)).toEqual(["prod A 192.0.2.1", "prod TXT somebody"]);
});

/** A Cluster of the name in a namespace of its own, with an address of a machine of its control plane. */
const clusterIn = async (
  world: World,
  inNamespace: string,
  address: string,
): Promise<() => Promise<LinodeCluster | undefined>> => {
  const { api } = world;
  await createNamespace(world, inNamespace);
  const labels = clusterName("prod");
  const at = { name: "prod", namespace: inNamespace };
  const refersTo = (kind: Kind) => ({ apiGroup: kind.group, kind: kind.kind, name: "prod" });
  const object = await api.create(ClusterResource, {
    apiVersion: apiVersionOf(ClusterResource),
    kind: "Cluster",
    metadata: at,
    spec: { infrastructureRef: refersTo(LinodeCluster) },
  });
  const owner = (kind: Resource, { metadata }: KubeObject) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    controller: true,
  });
  const machineLabels = { ...labels, [Label.controlPlane]: "" };
  const machine = await api.create(MachineResource, {
    apiVersion: apiVersionOf(MachineResource),
    kind: "Machine",
    metadata: { ...at, labels: machineLabels },
    spec: { clusterName: "prod", bootstrap: {}, infrastructureRef: refersTo(LinodeMachine) },
  });
  await api.create(LinodeMachine, {
    apiVersion: apiVersionOf(LinodeMachine),
    kind: "LinodeMachine",
    metadata: { ...at, labels: machineLabels, ownerReferences: [owner(MachineResource, machine)] },
    spec: { region: "us-ord", type: "g6-standard-2" },
  });
  const status = { addresses: [{ type: "ExternalIP", address }] };
  await api.patch(LinodeMachine, at, { type: "merge", body: { status } }, { subresource: "status" });
  await api.create(LinodeCluster, {
    apiVersion: apiVersionOf(LinodeCluster),
    kind: "LinodeCluster",
    metadata: { ...at, labels, ownerReferences: [owner(ClusterResource, object)] },
    spec: { region: "us-ord", network },
  });
  return () => api.find(LinodeCluster, at);
};

const deleteIn = async (world: World, inNamespace: string): Promise<void> => {
  const at = { name: "prod", namespace: inNamespace };
  for (const kind of [LinodeMachine, LinodeCluster]) {
    await world.api.delete(kind, at);
    await world.until(async () => (await world.api.find<KubeObject>(kind, at)) === undefined);
  }
};

it("refuses the second of two clusters with one name, which neither changes nor deletes records of the first", async () => {
  await using world = await startZone();
  const red = await clusterIn(world, "red", "192.0.2.1");
  const whole = ["prod A 192.0.2.1", "prod TXT capstan-owner=red/prod/MARK", "prod TXT prod"];
  await world.until(async () => (await recordsOf(world)).length === 3);
  expect(await recordsOf(world)).toEqual(whole);
  const blue = await clusterIn(world, "blue", "192.0.2.2");
  await world.until(async () => readyOf(await blue())?.reason === "OwnedByAnother");
  expect(readyOf(await blue())?.message).toBe(
    "the endpoint prod.example.com belongs to another namespace's LinodeCluster; set network.dnsUniqueIdentifier",
  );
  expect((await blue())?.spec.controlPlaneEndpoint).toBeUndefined();
  await world.pass(120_000);
  await deleteIn(world, "blue");
  expect(await recordsOf(world)).toEqual(whole);
  expect(readyOf(await red())?.status).toBe("True");
  await deleteIn(world, "red");
  expect(await recordsOf(world)).toEqual([]);
});

it("gives the name to one of two clusters that come at the same time", async () => {
  await using world = await startZone();
  const both = [await clusterIn(world, "red", "192.0.2.1"), await clusterIn(world, "blue", "192.0.2.2")];
  await world.pass(60_000);
  const reasons = await Promise.all(both.map(async (find) => readyOf(await find())?.reason));
  expect(new Set(reasons)).toEqual(new Set(["OwnedByAnother", "Ready"]));
  expect(await recordsOf(world)).toHaveLength(3);
});

it("takes over, by its mark, records that an older release or upstream's controllers left, for the elder of two clusters", async () => {
  await using world = await startZone();
  await world.kill();
  const red = await clusterIn(world, "red", "192.0.2.1");
  await world.pass(5000);
  const blue = await clusterIn(world, "blue", "192.0.2.2");
  await world.client.domains.createRecord(world.zone, { type: "TXT", name: "prod", target: "prod" });
  await world.client.domains.createRecord(world.zone, { type: "A", name: "prod", target: "192.0.2.1" });
  await world.startControllers();
  await world.until(async () => readyOf(await blue())?.reason === "OwnedByAnother");
  await world.until(async () => (await recordsOf(world)).length === 3);
  expect(await recordsOf(world)).toEqual(["prod A 192.0.2.1", "prod TXT capstan-owner=red/prod/MARK", "prod TXT prod"]);
  expect(readyOf(await red())?.status).toBe("True");
});

it("leaves addresses alone that somebody gave the name", async () => {
  await using world = await startZone();
  await world.client.domains.createRecord(world.zone, { type: "A", name: "prod", target: "192.0.2.9" });
  await createCluster(world, "prod", { network });
  await world.until(async () => readyOf(await getCluster(world, "prod"))?.reason === "OwnedByAnother");
  await world.api.delete(LinodeCluster, { namespace, name: "prod" });
  await world.until(async () => (await getCluster(world, "prod")) === undefined);
  expect(await recordsOf(world)).toEqual(["prod A 192.0.2.9"]);
});

it("uses the token for DNS where the Secret has one", async () => {
  await using world = await startZone();
  await createSecret(world, "split", { apiToken: "none", dnsToken: world.simulator.token });
  await createCluster(world, "prod", { network, credentialsRef: { name: "split" } });
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
});
