import { ClusterResource, conditionOf, MachineResource, NamespaceResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster, AzureMachine, AzureMachinePoolMachine } from "../src/api.ts";
import type { AzureCloud } from "./cloud.ts";
import { location } from "./cloud.ts";
import { meetingClusters, messageOf, resourcesOf } from "./meeting-clusters.ts";
import type { Json } from "./scene.ts";
import { because, isReady, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const { clusterIs, create, createMachine, deleteCluster, inNamespace, openCloud } = meetingClusters(() => environment);

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
    expect(messageOf(refused)).toContain("belongs to another namespace's AzureCluster; ");
    expect(messageOf(refused)).not.toContain(first.namespace);
    const owner = `"owner":"AzureCluster ${first.namespace}/pine"`;
    expect(cloud.warnings.filter((each) => each.includes(owner))).toHaveLength(1);
    expect(refused.spec?.controlPlaneEndpoint?.host ?? "").toBe("");
    await environment.pass(120_000);
    await deleteCluster(second);
    expect(stored(cloud)).toBe(before);
    await clusterIs(first, isReady);
    await deleteCluster(first, ["m"]);
    expect(resourcesOf(cloud, group)).toEqual([]);
  });
});

it("what upstream's controllers left goes to neither of two clusters of its name, until an administrator trusts one", async () => {
  await using cloud = await openCloud();
  const path = `/subscriptions/${cloud.simulator.subscriptionId}/resourceGroups/old`;
  const tags = { "sigs.k8s.io_cluster-api-provider-azure_cluster_fir": "owned" };
  await cloud.call("PUT", path, { location, tags });
  const [first, second] = [await inNamespace("fir"), await inNamespace("fir")];
  const cores = [first, second];
  // Both are there before either is looked at.
  for (const core of cores) await create(core, { resourceGroup: "old" }, { paused: true });
  const before = stored(cloud);
  for (const core of cores) await core.patch(ClusterResource, "fir", { spec: { paused: false } });
  for (const core of cores) await clusterIs(core, because("OwnedByAnother"));
  const annotations = { "capstan.dev/adopt": "true" };
  for (const core of cores) await core.patch(AzureCluster, "fir", { metadata: { annotations } });
  await environment.pass(120_000);
  expect(stored(cloud)).toBe(before);
  const labels = { "capstan.dev/trusted-ids": "true" };
  const body = { metadata: { labels } };
  await environment.client.patch(NamespaceResource, { name: second.namespace }, { type: "merge", body });
  await clusterIs(second, isReady);
  await clusterIs(first, because("OwnedByAnother"));
  await deleteCluster(second);
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
  expect([...seen].join("\n")).toContain("the resource group team is kept, because it has resources of other owners: ");
  expect([...seen].join("\n")).toContain("of another namespace's AzureCluster");
  expect([...seen].join("\n")).not.toContain(cedar.namespace);
  const owner = `"resource":"the resource group team","owner":"AzureCluster ${cedar.namespace}/cedar"`;
  expect(cloud.warnings.filter((each) => each.includes(owner))).toHaveLength(1);
  expect(JSON.stringify(ofCedar())).toBe(before);
  expect(resourcesOf(cloud, group).filter(({ name }) => /^j(?:$|[-_])|juniper|pip-j/.test(name))).toEqual([]);
  await clusterIs(cedar, isReady);

  // No one's from then on, it is used by a cluster of the old name, too, and goes with neither.
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
  expect(messageOf(refused)).toContain("annotate it with capstan.dev/owner-id and its former uid");
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
    (found) => found !== undefined && because("NameTaken")(found),
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
