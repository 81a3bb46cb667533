import { ownerOf, ownerText } from "@capstan/kit/engine";
import { conditionOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment, CorePart } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster } from "../src/api.ts";
import type { AzureCloud } from "./cloud.ts";
import { location, startCloud } from "./cloud.ts";
import { meetingClusters, resourcesOf } from "./meeting-clusters.ts";
import { because, isReady, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const { clusterIs, create, deleteCluster, inNamespace } = meetingClusters(() => environment);

/** Writes a group after these times, one after the other, in milliseconds. */
const delayGroup = ({ simulator }: AzureCloud, group: string, delays: readonly number[]): void => {
  const path = new RegExp(`/resourceGroups/${group}$`, "i");
  for (const [index, ms] of delays.entries()) {
    simulator.faults.add({ method: "PUT", path, nth: index + 1, action: { kind: "delay", ms } });
  }
};

/** One manager for each of two clusters, or one for both. */
const runTwins = async (cores: readonly CorePart[], managers: readonly ReturnType<AzureCloud["provider"]>[]) =>
  Promise.all(
    managers.map((provider, index) =>
      environment.runManager({
        providers: [provider],
        ...(managers.length > 1 && { namespace: cores[index]?.namespace ?? "" }),
      }),
    ),
  );

const statesOf = async (cores: readonly CorePart[]): Promise<readonly string[]> => {
  const all = await Promise.all(cores.map((core) => environment.client.get(AzureCluster, core.key(core.clusterName))));
  return all.map((each) => (isReady(each) ? "ready" : (conditionOf(each, "Ready", "v1beta1")?.reason ?? "")));
};

const groupWrites = ({ simulator }: AzureCloud, group: string) =>
  simulator.requests.log.filter(({ method, path }) => method === "PUT" && path.endsWith(group));

const twins = async (
  cloud: AzureCloud,
  managers: readonly ReturnType<AzureCloud["provider"]>[],
  delays: readonly number[],
) => {
  const group = `twins-${managers.length}`;
  const cores = [await inNamespace("twin"), await inNamespace("twin")];
  for (const core of cores) await create(core, { resourceGroup: group });
  delayGroup(cloud, group, delays);
  const running = await runTwins(cores, managers);
  await environment.until(async () => (await statesOf(cores)).toSorted().join() === "OwnedByAnother,ready", 600_000);
  const writes = groupWrites(cloud, group);
  const owners = new Set(resourcesOf(cloud, group).map(({ tags }) => tags?.["capstan-owner"]));
  await Promise.all(running.map((manager) => manager.stop()));
  await cloud.stop();
  return { owners, writes };
};

it("of two clusters of one name that come up at the same instant, one has the resource group and the other is refused", async () => {
  const cloud = await startCloud(environment);
  // The second write of the group is on its way for so long that the first cluster has gone on.
  const { writes } = await twins(cloud, [cloud.provider()], [0, 20_000]);
  // The first mark counts: no one writes over it.
  expect(writes).toHaveLength(1);
});

it("of two clusters of one name in two processes that make the resource group at the same instant, one has all of it", async () => {
  const cloud = await startCloud(environment);
  // The first write is on its way until the second process has looked, too.
  const { owners, writes } = await twins(cloud, [cloud.provider(), cloud.provider()], [1000, 3000]);
  expect(writes).toHaveLength(2);
  expect(owners.size).toBe(1);
});

/** Writes a group with the mark of an AzureCluster, as a process of it that has ended. */
const writeGroupOf = async (cloud: AzureCloud, core: CorePart, group: string): Promise<void> => {
  const { metadata } = await environment.client.get<AzureCluster>(AzureCluster, core.key(core.clusterName));
  const owner = ownerText(ownerOf({ apiVersion: "v1", kind: AzureCluster.kind, metadata }));
  const upstream = `sigs.k8s.io_cluster-api-provider-azure_cluster_${core.clusterName}`;
  const path = `/subscriptions/${cloud.simulator.subscriptionId}/resourceGroups/${group}`;
  await cloud.call("PUT", path, { location, tags: { [upstream]: "owned", "capstan-owner": owner } });
};

it("a group that an earlier process made goes with its cluster, though the write of a later one changed it", async () => {
  const cloud = await startCloud(environment);
  const group = "unanswered";
  const core = await inNamespace("ash");
  await create(core, { resourceGroup: group });
  delayGroup(cloud, group, [5000]);
  const manager = await environment.runManager({ providers: [cloud.provider()] });
  await environment.until(
    async () => (await environment.client.get(AzureCluster, core.key("ash"))).metadata.finalizers !== undefined,
    60_000,
  );
  await environment.pass(1000);
  await writeGroupOf(cloud, core, group);
  await clusterIs(core, isReady);
  expect(groupWrites(cloud, group)).toHaveLength(2);
  await deleteCluster(core);
  const left = cloud.simulator.state.groups.map(({ name }) => name);
  await manager.stop();
  await cloud.stop();
  expect(left).not.toContain(group);
});

describe("a write of a resource group that arrives long after another process made it", () => {
  /** Two clusters in one group and two processes: the second's write of the group arrives when the first has long gone on. */
  const openLate = async (names: readonly [string, string], provider: { readonly timeoutMs?: number } = {}) => {
    const cloud = await startCloud(environment);
    const group = `late-${names.join("-")}-${provider.timeoutMs ?? 0}`;
    const cores = [await inNamespace(names[0]), await inNamespace(names[1])];
    for (const core of cores) await create(core, { resourceGroup: group });
    delayGroup(cloud, group, [1000, 40_000]);
    const running = await runTwins(cores, [cloud.provider(provider), cloud.provider(provider)]);
    const owned = () => new Set(resourcesOf(cloud, group).flatMap(({ tags }) => tags?.["capstan-owner"] ?? []));
    await environment.until(() => owned().size > 0, 600_000);
    const [owner = ""] = owned();
    await environment.pass(120_000);
    expect(groupWrites(cloud, group)).toHaveLength(2);
    const isFirst = owner.startsWith(`${cores[0]?.namespace}/`);
    const [first, second] = (isFirst ? cores : cores.toReversed()) as [CorePart, CorePart];
    return {
      cloud,
      first,
      group,
      owned,
      owner,
      second,
      [Symbol.asyncDispose]: async () => {
        await Promise.all(running.map((manager) => manager.stop()));
        await cloud.stop();
      },
    };
  };

  it.each([
    ["is answered", {}],
    ["was given up", { timeoutMs: 5000 }],
  ])(
    "of a cluster of the same name, and %s: the first keeps all of it, and the group goes with it",
    async (_, given) => {
      await using late = await openLate(["twin", "twin"], given);
      const { cloud, first, group, owned, owner, second } = late;
      await clusterIs(first, isReady);
      await clusterIs(second, because("OwnedByAnother"));
      await environment.pass(120_000);
      expect([...owned()]).toEqual([owner]);
      await clusterIs(first, isReady);
      const before = JSON.stringify(cloud.simulator.state.resources);
      await deleteCluster(second);
      expect(JSON.stringify(cloud.simulator.state.resources)).toBe(before);
      await deleteCluster(first);
      expect(cloud.simulator.state.groups.map(({ name }) => name)).not.toContain(group);
    },
  );

  it("of a cluster of another name: both use the group, and it goes with the first when the other is gone", async () => {
    await using late = await openLate(["ash", "elm"]);
    const { cloud, first, group, owned, second } = late;
    for (const core of [first, second]) await clusterIs(core, isReady);
    expect(owned().size).toBe(2);
    await deleteCluster(second);
    await clusterIs(first, isReady);
    expect(owned().size).toBe(1);
    await deleteCluster(first);
    expect(cloud.simulator.state.groups.map(({ name }) => name)).not.toContain(group);
  });

  it("is given up by a process that was ended before it had the answer", async () => {
    const cloud = await startCloud(environment);
    const group = "late-ended";
    const [first, second] = [await inNamespace("twin"), await inNamespace("twin")];
    delayGroup(cloud, group, [0]);
    await create(first, { resourceGroup: group });
    const one = await environment.runManager({ providers: [cloud.provider()], namespace: first.namespace });
    await clusterIs(first, isReady);
    await create(second, { resourceGroup: group });
    // As a write leaves it that no one waits for any more.
    await writeGroupOf(cloud, second, group);
    const two = await environment.runManager({ providers: [cloud.provider()], namespace: second.namespace });
    const resources = JSON.stringify(cloud.simulator.state.resources);
    await clusterIs(second, because("OwnedByAnother"));
    expect(JSON.stringify(cloud.simulator.state.resources)).toBe(resources);
    await one.stop();
    // A process that starts reads all again, and marks again what is its own.
    const again = await environment.runManager({ providers: [cloud.provider()], namespace: first.namespace });
    const marked = () => cloud.simulator.state.groups.find(({ name }) => name === group)?.tags?.["capstan-owner"] ?? "";

    await environment.until(() => marked().startsWith(`${first.namespace}/twin/`), 600_000);
    await deleteCluster(second);
    await deleteCluster(first);
    expect(cloud.simulator.state.groups.map(({ name }) => name)).not.toContain(group);
    await Promise.all([two.stop(), again.stop()]);
    await cloud.stop();
  });
});
