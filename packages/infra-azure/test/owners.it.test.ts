import { ClusterResource, conditionOf, MachineResource } from "@capstan/contract/wire";
import { CorePart } from "@capstan/testing/environment";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster, AzureMachine, AzureMachinePoolMachine } from "../src/api.ts";
import type { AzureCloud } from "./cloud.ts";
import { location, startCloud } from "./cloud.ts";
import type { Json } from "./scene.ts";
import { because, isReady, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

/** A simulated subscription with one manager for the clusters of all namespaces. */
const openCloud = async (): Promise<AzureCloud & AsyncDisposable> => {
  const cloud = await startCloud(environment);
  const manager = await environment.runManager({ providers: [cloud.provider()] });
  return {
    ...cloud,
    [Symbol.asyncDispose]: async () => {
      await manager.stop();
      await cloud.stop();
    },
  };
};

const inNamespace = async (clusterName: string): Promise<CorePart> =>
  new CorePart(environment.client, await environment.namespace(), clusterName);

const create = async (core: CorePart, spec: Json): Promise<void> => {
  const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name: core.clusterName };
  const object = await core.createCluster({ infrastructureRef });
  await core.createOwned(
    AzureCluster,
    core.clusterName,
    { location, ...spec },
    { kind: ClusterResource, object, controller: true },
  );
  await core.infrastructureProvisioned();
  // As core's own: the Cluster is there until all of it has gone.
  await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: ["test.capstan.dev/core"] } });
};

const createMachine = async (core: CorePart, name: string): Promise<void> => {
  const infrastructureRef = { apiGroup: AzureMachine.group, kind: AzureMachine.kind, name };
  await core.createBootstrapSecret(name, "#cloud-config\n");
  const spec = { infrastructureRef, bootstrap: { dataSecretName: name }, version: "v1.34.0" };
  const object = await core.createMachine(name, spec);
  const own = {
    vmSize: "Standard_D2s_v3",
    osDisk: { osType: "Linux" },
    sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
  };
  await core.createOwned(AzureMachine, name, own, { kind: MachineResource, object, controller: true });
  await environment.eventually(
    AzureMachine,
    core.key(name),
    (found) => found !== undefined && isReady(found as AzureMachine),
  );
};

const clusterIs = async (core: CorePart, test: (cluster: AzureCluster) => boolean): Promise<AzureCluster> =>
  (await environment.eventually(
    AzureCluster,
    core.key(core.clusterName),
    (found) => found !== undefined && test(found as AzureCluster),
  )) as AzureCluster;

const messageOf = (cluster: AzureCluster): string => conditionOf(cluster, "Ready", "v1beta1")?.message ?? "";

/** Deletes a Cluster as core does: machines first, then the AzureCluster, then itself. */
const deleteCluster = async (core: CorePart, machines: readonly string[] = []): Promise<void> => {
  const { client } = environment;
  await client.delete(ClusterResource, core.key(core.clusterName));
  for (const name of machines) await client.delete(AzureMachine, core.key(name));
  for (const name of machines) {
    await environment.eventually(AzureMachine, core.key(name), (found) => found === undefined);
  }
  await client.delete(AzureCluster, core.key(core.clusterName));
  await environment.eventually(AzureCluster, core.key(core.clusterName), (found) => found === undefined);
  await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: [] } });
};

const resourcesOf = ({ simulator: { state } }: AzureCloud, group: string) =>
  state.resources.filter((each) => each.group === group);
const stored = ({ simulator: { state } }: AzureCloud) => JSON.stringify([state.groups, state.resources]);

describe("two clusters of one name in one resource group", () => {
  it.each([
    ["that the first made", false],
    ["that was there before", true],
  ])("%s: the second is refused with the name of the first, and touches nothing", async (_, isGiven) => {
    await using cloud = await openCloud();
    const group = `shared-${isGiven}`;
    const path = `/subscriptions/${cloud.simulator.subscriptionId}/resourceGroups/${group}`;
    if (isGiven) await cloud.call("PUT", path, { location });
    const [first, second] = [await inNamespace("pine"), await inNamespace("pine")];
    await create(first, { resourceGroup: group });
    await clusterIs(first, isReady);
    await createMachine(first, "m");
    const before = stored(cloud);
    await create(second, { resourceGroup: group });
    const refused = await clusterIs(second, because("OwnedByAnother"));
    expect(messageOf(refused)).toContain(`belongs to AzureCluster ${first.namespace}/pine; `);
    expect(refused.spec?.controlPlaneEndpoint?.host ?? "").toBe("");
    await environment.pass(120_000);
    await deleteCluster(second);
    expect(stored(cloud)).toBe(before);
    await clusterIs(first, isReady);
    await deleteCluster(first, ["m"]);
    expect(resourcesOf(cloud, group)).toEqual([]);
  });
});

it("a resource group that one cluster made and another uses stays, and what is the first's own goes", async () => {
  await using cloud = await openCloud();
  const group = "team";
  const [juniper, cedar] = [await inNamespace("juniper"), await inNamespace("cedar")];
  await create(juniper, { resourceGroup: group });
  await clusterIs(juniper, isReady);
  await createMachine(juniper, "j");
  await create(cedar, { resourceGroup: group });
  await clusterIs(cedar, isReady);
  await createMachine(cedar, "c");
  const ofCedar = () => resourcesOf(cloud, group).filter(({ tags }) => tags?.["capstan-owner"]?.includes("/cedar/"));
  const before = JSON.stringify(ofCedar());
  const seen = new Set<string>();
  const watching = environment.eventually(AzureCluster, juniper.key("juniper"), (found) => {
    if (found !== undefined) seen.add(conditionOf(found, "ResourceGroupReady", "v1beta1")?.message ?? "");
    return found === undefined;
  });
  await deleteCluster(juniper, ["j"]);
  await watching;
  expect([...seen].join("\n")).toContain("the resource group team is kept, because others own resources in it: ");
  expect([...seen].join("\n")).toContain(`of AzureCluster ${cedar.namespace}/cedar`);
  expect(JSON.stringify(ofCedar())).toBe(before);
  expect(resourcesOf(cloud, group).filter(({ name }) => /^j(?:$|[-_])|juniper|pip-j/.test(name))).toEqual([]);
  await clusterIs(cedar, isReady);

  // Nobody's from then on, it is used by a cluster of the old name, too, and goes with neither.
  await create(juniper, { resourceGroup: group });
  await clusterIs(juniper, isReady);
  await deleteCluster(juniper);
  await deleteCluster(cedar, ["c"]);
  expect(resourcesOf(cloud, group)).toEqual([]);
});

it("a cluster that was deleted by force and made anew is told how it takes over what the old one left", async () => {
  await using cloud = await openCloud();
  const core = await inNamespace("birch");
  await create(core, { resourceGroup: "birch" });
  await clusterIs(core, isReady);
  const key = core.key("birch");
  const { metadata, spec = {} } = await environment.client.get<AzureCluster>(AzureCluster, key);
  const { controlPlaneEndpoint: _, ...given } = spec as Json;
  await core.patch(ClusterResource, "birch", { spec: { paused: true } });
  await environment.client.delete(AzureCluster, key);
  await core.patch(AzureCluster, "birch", { metadata: { finalizers: [] } });
  await core.patch(ClusterResource, "birch", { spec: { paused: false } });
  const object = await environment.client.get(ClusterResource, key);
  await core.createOwned(AzureCluster, "birch", given, { kind: ClusterResource, object, controller: true });
  const refused = await clusterIs(core, because("OwnedByAnother"));
  expect(messageOf(refused)).toContain("annotate it with capstan.dev/owner-id and the uid that it had then");
  const before = cloud.simulator.state.resources.length;
  await core.patch(AzureCluster, "birch", {
    metadata: { annotations: { "capstan.dev/owner-id": metadata.uid ?? "" } },
  });
  await clusterIs(core, isReady);
  expect(cloud.simulator.state.resources).toHaveLength(before);
  await deleteCluster(core);
  expect(resourcesOf(cloud, "birch")).toEqual([]);
});

it("a virtual machine that a new AzureMachine names by its provider id and that bears no tags stays as it is", async () => {
  await using cloud = await openCloud();
  const core = await inNamespace("alder");
  await create(core, { resourceGroup: "alder" });
  await clusterIs(core, isReady);
  await createMachine(core, "m");
  const { metadata, spec = {} } = await environment.client.get<AzureMachine>(AzureMachine, core.key("m"));
  const machine = await environment.client.get(MachineResource, core.key("m"));
  await core.patch(ClusterResource, "alder", { spec: { paused: true } });
  await environment.client.delete(AzureMachine, core.key("m"));
  await core.patch(AzureMachine, "m", { metadata: { finalizers: [] } });
  const path = (spec as { readonly providerID?: string }).providerID?.replace("azure://", "") ?? "";
  await cloud.call("PATCH", path, { tags: {} });
  const machines = () =>
    resourcesOf(cloud, "alder").flatMap(({ guid, tags, type }) =>
      /virtualMachines$/i.test(type) ? [`${guid} ${JSON.stringify(tags)}`] : [],
    );
  const before = machines();
  await core.createOwned(AzureMachine, "m", spec, { kind: MachineResource, object: machine, controller: true });
  await core.patch(ClusterResource, "alder", { spec: { paused: false } });
  const refused = await environment.eventually(
    AzureMachine,
    core.key("m"),
    (found) => found !== undefined && because("NameTaken")(found as AzureMachine),
  );
  expect(refused?.metadata.uid).not.toBe(metadata.uid);
  await environment.client.delete(AzureMachine, core.key("m"));
  await environment.eventually(AzureMachine, core.key("m"), (found) => found === undefined);
  expect(machines()).toEqual(before);
});

it("a virtual machine of another cluster stays when a machine of a pool that names it by its provider id is deleted", async () => {
  await using cloud = await openCloud();
  const [pine, oak] = [await inNamespace("pine"), await inNamespace("oak")];
  for (const core of [pine, oak]) {
    await create(core, { resourceGroup: core.clusterName });
    await clusterIs(core, isReady);
  }
  await createMachine(pine, "m");
  const { spec } = await environment.client.get<AzureMachine>(AzureMachine, pine.key("m"));
  const before = stored(cloud);
  const infrastructureRef = { apiGroup: AzureMachinePoolMachine.group, kind: AzureMachinePoolMachine.kind, name: "m" };
  const object = await oak.createMachine("m", { infrastructureRef, bootstrap: { dataSecretName: "m" } });
  const owner = { kind: MachineResource, object, controller: true };
  await oak.createOwned(AzureMachinePoolMachine, "m", { providerID: spec?.providerID }, owner);
  await environment.pass(60_000);
  await environment.client.delete(AzureMachinePoolMachine, oak.key("m"));
  await environment.eventually(AzureMachinePoolMachine, oak.key("m"), (found) => found === undefined);
  await environment.pass(60_000);
  expect(stored(cloud)).toBe(before);
});

it("of two clusters of one name that come up at the same instant, one has the resource group and the other is refused", async () => {
  const cloud = await startCloud(environment);
  const cores = [await inNamespace("twin"), await inNamespace("twin")];
  for (const core of cores) await create(core, { resourceGroup: "shared-by-twins" });
  // The second write of the group is on its way for so long that the first cluster has gone on.
  for (const ms of [0, 20_000]) {
    const path = /\/resourceGroups\/shared-by-twins$/i;
    cloud.simulator.faults.add({ method: "PUT", path, times: 1, action: { kind: "delay", ms } });
  }
  const manager = await environment.runManager({ providers: [cloud.provider()] });
  const states = async () => {
    const all = await Promise.all(cores.map((core) => environment.client.get(AzureCluster, core.key("twin"))));
    return all.map((each) => (isReady(each) ? "ready" : (conditionOf(each, "Ready", "v1beta1")?.reason ?? "")));
  };
  await environment.until(async () => (await states()).toSorted().join() === "OwnedByAnother,ready", 600_000);
  // The first mark counts: nobody writes over it.
  const writes = cloud.simulator.requests.log.filter(({ method, path }) => method === "PUT" && path.endsWith("twins"));
  expect(writes).toHaveLength(1);
  await manager.stop();
  await cloud.stop();
});
