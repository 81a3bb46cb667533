import { NodeResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, describe, expect, it } from "vitest";
import { Machine, MachineDrainRule } from "../src/api.ts";
import { nodeBecomes, startHealthWorld } from "./health-check-world.ts";
import { key, machineNamed, namespace } from "./hand-provider.ts";
import type { World } from "./world.ts";

const Pods = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const Namespaces = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });
const DaemonSets = resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets" });
const Budgets = resource({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
});

let world: World;
afterEach(async () => {
  await world.stop();
});

const createPod = (
  name: string,
  labels: Readonly<Record<string, string>> = {},
  where = "default",
  ownerReferences: readonly object[] = [],
): Promise<KubeObject> =>
  world.workload.create(Pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: where, labels, ownerReferences } as KubeObject["metadata"],
    spec: { nodeName: "node-w", containers: [{ name: "c", image: "i" }] },
  });

/** The kubelet has ended a Pod. */
const end = (name: string): Promise<void> =>
  world.workload.delete(Pods, { namespace: "default", name }, { gracePeriodSeconds: 0 });

const isGoing = async (name: string): Promise<boolean> =>
  (await world.workload.find(Pods, { namespace: "default", name }))?.metadata.deletionTimestamp !== undefined;

const createRule = async (name: string, spec: MachineDrainRule["spec"]): Promise<void> => {
  await world.api.create(MachineDrainRule, {
    apiVersion: `${MachineDrainRule.group}/${MachineDrainRule.version}`,
    kind: MachineDrainRule.kind,
    metadata: { name, namespace },
    spec,
  });
  await world.seen(MachineDrainRule);
};

const createBudget = (): Promise<KubeObject> =>
  world.workload.create(Budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "pdb", namespace: "default" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "db" } } },
  });

const app = (value: string) => [{ selector: { matchLabels: { app: value } } }];

const progress = async (): Promise<string> => {
  const machine = await machineNamed(world, "w");
  const deleting = machine === undefined ? undefined : findCondition(machine, "Deleting");
  return deleting?.reason === "DrainingNode" ? deleting.message : "";
};

const drainSays = (text: string): Promise<void> => world.until(async () => (await progress()).includes(text));
const isGone = (): Promise<void> => world.until(async () => (await machineNamed(world, "w")) === undefined);

describe("draining by MachineDrainRules", () => {
  it("goes by order, leaves alone what is to stay, and waits for what is to complete", async () => {
    world = await startHealthWorld(["w"]);
    await world.workload.create(Namespaces, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "infra", labels: { keep: "yes" } },
    });
    const machines = [{ selector: { matchLabels: { role: "worker" } } }];
    await createRule("first", { drain: { behavior: "Drain", order: -5 }, machines, pods: app("first") });
    await createRule("jobs", { drain: { behavior: "WaitCompleted" }, machines, pods: app("job") });
    await createRule("keep", {
      drain: { behavior: "Skip" },
      pods: [{ namespaceSelector: { matchLabels: { keep: "yes" } } }],
    });
    await createRule("other", {
      drain: { behavior: "Skip" },
      machines: [{ selector: { matchLabels: { role: "db" } } }],
    });
    await createPod("first", { app: "first" });
    await createPod("plain");
    await createPod("job", { app: "job" });
    await createPod("stays", {}, "infra");

    await world.api.delete(Machine, key("w"));
    await drainSays("* Pod default/first: deletionTimestamp set, but still not removed from the Node");
    expect((await progress()).split("\n").slice(2)).toEqual([
      "After above Pods have been removed from the Node, the following Pods will be evicted: default/plain",
      "After above Pods have been removed from the Node, the following Pods will be waited for until they complete: default/job",
    ]);
    expect(await isGoing("plain")).toBe(false);

    await end("first");
    await drainSays("* Pod default/job: waiting for completion");
    expect(await isGoing("plain")).toBe(true);
    await end("plain");
    // It completes, and its object stays.
    await world.workload.patch(
      Pods,
      { namespace: "default", name: "job" },
      { type: "merge", body: { status: { phase: "Succeeded" } } },
      { subresource: "status" },
    );
    await isGone();
    expect(await world.workload.find(Pods, { namespace: "infra", name: "stays" })).toBeDefined();
  });

  it("obeys a rule that is changed while it waits", async () => {
    world = await startHealthWorld(["w"]);
    await createRule("r", { drain: { behavior: "WaitCompleted" } });
    await createPod("p");
    await world.api.delete(Machine, key("w"));
    await drainSays("* Pod default/p: waiting for completion");
    const body = { spec: { drain: { behavior: "Skip" } } };
    await world.api.patch(MachineDrainRule, key("r"), { type: "merge", body });
    await isGone();
  });
});

describe("draining of Pods that a DaemonSet makes", () => {
  it("leaves them where they are", async () => {
    world = await startHealthWorld(["w"]);
    const labels = { app: "agent" };
    const { metadata } = await world.workload.create(DaemonSets, {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "agent", namespace: "default" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    const owner = { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", uid: metadata.uid, controller: true };
    await createPod("agent-w", labels, "default", [owner]);
    await world.api.delete(Machine, key("w"));
    await isGone();
    expect(await isGoing("agent-w")).toBe(false);
  });
});

describe("draining slowly", () => {
  it("asks for no more evictions after ten seconds of a round, shows who waits, and goes on in the next", async () => {
    world = await startHealthWorld(["w"]);
    for (const name of ["a", "b", "c", "d"]) await createPod(name);
    // Each begins with a look at the Pods.
    const rounds: string[][] = [];
    world.disturb = (call) => {
      if (call === "GET workload/Pod") rounds.push([]);
      const [, name] = /\/pods\/(.+)\/eviction$/.exec(call) ?? [];
      if (name === undefined) return undefined;
      rounds.at(-1)?.push(name);
      return { takesMs: 6000 };
    };
    const within = async (seconds: number, text: string): Promise<void> =>
      world.clock.advanceUntil(async () => (await progress()).includes(text), { maxMs: seconds * 1000 });
    const going = "deletionTimestamp set, but still not removed from the Node";
    await world.api.delete(Machine, key("w"));
    await within(20, `* Pods default/a, default/b: ${going}\n* Pods default/c, default/d: waiting to be evicted`);
    await within(60, `* Pods default/a, default/b, default/c, ... (1 more): ${going}`);
    expect(rounds.slice(0, 2)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });
});

describe("draining against a budget", () => {
  it("reports which one refuses, and obeys it; a Node that is lost has nothing left to protect", async () => {
    world = await startHealthWorld(["w"]);
    await createPod("db", { app: "db" });
    await world.workload.patch(
      Pods,
      { namespace: "default", name: "db" },
      { type: "merge", body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } } },
      { subresource: "status" },
    );
    await createBudget();
    await world.api.delete(Machine, key("w"));
    await drainSays(
      "* Pod default/db: cannot evict pod as it would violate the pod's disruption budget. The disruption budget pdb",
    );
    await world.until(async () => {
      const machine = await machineNamed(world, "w");
      return machine !== undefined && (findCondition(machine, "Ready")?.message ?? "").includes("DrainingNode");
    });
    expect(await isGoing("db")).toBe(false);

    // The kubelet is gone; the control plane of the cluster notices, and says so of Node and Pod.
    await nodeBecomes(world, "w", "Unknown");
    await world.workload.patch(
      Pods,
      { namespace: "default", name: "db" },
      { type: "merge", body: { status: { conditions: [{ type: "Ready", status: "False" }] } } },
      { subresource: "status" },
    );
    await isGone();
    expect(await world.workload.find(NodeResource, { name: "node-w" })).toBeUndefined();
  });
});
