import { Annotation, CapstanError, Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { apiVersionOf, resource } from "@capstan/schema";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, describe, expect, it } from "vitest";
import { Machine, MachineDrainRule } from "../src/api.ts";
import { PersistentVolumes, Pods, VolumeAttachments } from "../src/object/workload-kinds.ts";
import { createRunning, nodeBecomes, startHealthWorld } from "./health-check-world.ts";
import {
  bootstrap,
  createCluster,
  createMachine,
  giveKubeconfig,
  hold,
  join,
  key,
  machineNamed,
  provideInfrastructure,
  providerIDOf,
  provision,
  providerObject,
  release,
} from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { set, setStatus, startWorld, unavailable } from "./world.ts";

const Events = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

let world: World;
afterEach(async () => {
  await world.stop();
});

const deletingOf = async (name: string) => {
  const machine = await machineNamed(world, name);
  return machine === undefined ? undefined : findCondition(machine, "Deleting");
};
const stage = (name: string, reason: string): Promise<void> =>
  world.until(async () => (await deletingOf(name))?.reason === reason);
const says = (name: string, text: string): Promise<void> =>
  world.until(async () => (await deletingOf(name))?.message.includes(text) === true);
const isGone = (name: string): Promise<void> =>
  world.until(async () => (await machineNamed(world, name)) === undefined);
const remove = (name: string): Promise<void> => world.api.delete(Machine, key(name));
const nodeOf = (name: string) => world.workload.find(NodeResource, { name: `node-${name}` });
const isCordoned = async (name: string): Promise<boolean> =>
  ((await nodeOf(name))?.["spec"] as { readonly unschedulable?: boolean } | undefined)?.unschedulable === true;
const annotate = async (name: string, annotations: Readonly<Record<string, string>>): Promise<unknown> =>
  set(world, Machine, await world.api.get(Machine, key(name)), { metadata: { annotations } });
/** Events are written on the side. */
const eventSeen = (reason: string): Promise<void> =>
  world.until(async () => {
    const { items } = await world.api.list(Events, { namespace: "default" });
    return items.some((event) => event["reason"] === reason);
  });

const createPod = (name: string, machine: string, spec: object = {}): Promise<KubeObject> => {
  const body: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: { nodeName: `node-${machine}`, containers: [{ name: "c", image: "i" }], ...spec },
  };
  return world.workload.create(Pods, body);
};
const isGoing = async (name: string): Promise<boolean> =>
  (await world.workload.find(Pods, key(name)))?.metadata.deletionTimestamp !== undefined;
const end = (name: string): Promise<void> => world.workload.delete(Pods, key(name), { gracePeriodSeconds: 0 });

/** A volume that is attached to the Node of a Machine, for a claim. */
const attach = async (name: string, machine: string, claim: string): Promise<void> => {
  const create = (kind: Resource, spec: object): Promise<KubeObject> => {
    const body: KubeObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, spec };
    return world.workload.create(kind, body);
  };
  await create(PersistentVolumes, {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "csi.test", volumeHandle: `handle-${name}` },
    claimRef: { namespace: "default", name: claim },
  });
  await create(VolumeAttachments, {
    attacher: "csi.test",
    nodeName: `node-${machine}`,
    source: { persistentVolumeName: name },
  });
  const body = { status: { attached: true } };
  await world.workload.patch(VolumeAttachments, { name }, { type: "merge", body }, { subresource: "status" });
};

describe("the drain of a Machine's Node", () => {
  it("is left out by annotation, and so is the wait for volumes", async () => {
    world = await startHealthWorld(["w"]);
    await createPod("app", "w");
    await attach("pv", "w", "data");
    await annotate("w", { [Annotation.excludeNodeDraining]: "" });
    await remove("w");
    await stage("w", "WaitingForVolumeDetach");
    expect([await isCordoned("w"), await isGoing("app")]).toEqual([false, false]);
    await annotate("w", { [Annotation.excludeWaitForNodeVolumeDetach]: "" });
    await isGone("w");
    expect(await nodeOf("w")).toBeUndefined();
  });

  it("is left out when the machine is on its way out already", async () => {
    world = await startHealthWorld(["w"]);
    await createPod("app", "w");
    await attach("pv", "w", "data");
    await hold(world, providerKinds.machine, "w");
    await world.api.delete(providerKinds.machine.resource, key("w"));
    await world.seen(providerKinds.machine.resource);
    await remove("w");
    await stage("w", "WaitingForInfrastructureDeletion");
    await world.settle();
    expect([await isCordoned("w"), await isGoing("app")]).toEqual([false, false]);
    await release(world, providerKinds.machine, "w");
    await isGone("w");
    expect(await nodeOf("w")).toBeUndefined();
  });

  it("reports why a Pod stays, tries the others, and goes on without those that are gone", async () => {
    world = await startHealthWorld(["w"]);
    for (const name of ["broken", "gone", "leaving", "plain"]) await createPod(name, "w");
    const refusals: Readonly<Record<string, CapstanError>> = {
      broken: new CapstanError({ code: "kube.internal", reason: "InternalError", message: "the webhook is broken" }),
      gone: new CapstanError({ code: "kube.not_found", reason: "NotFound", message: "no such Pod" }),
      leaving: new CapstanError({
        code: "kube.forbidden",
        reason: "Forbidden",
        message: "no",
        details: { causes: [{ reason: "NamespaceTerminating" }] },
      }),
    };
    world.disturb = (call) => {
      const name = /\/pods\/(.+)\/eviction$/.exec(call)?.[1] ?? "";
      if (refusals[name] !== undefined) throw refusals[name];
      return undefined;
    };
    await remove("w");
    await says("w", "* Pod default/broken: failed to evict Pod, the webhook is broken");
    const message = (await deletingOf("w"))?.message ?? "";
    expect(message).toContain(
      "* Pod default/leaving: cannot be evicted while its Namespace is being deleted\n* Pod default/plain: deletionTimestamp set, but still not removed from the Node",
    );
    expect(message).not.toContain("default/gone");
    for (const name of ["broken", "gone", "leaving", "plain"]) await end(name);
    await isGone("w");
    await eventSeen("SuccessfulDrainNode");
  });

  it("cordons once, and obeys a time limit that is set while it lasts", async () => {
    world = await startHealthWorld(["w"]);
    await createPod("app", "w");
    const calls: string[] = [];
    world.disturb = (call) => {
      calls.push(call);
      return undefined;
    };
    await remove("w");
    await says("w", "deletionTimestamp set, but still not removed from the Node");
    await world.clock.advance(120_000);
    await world.settle();
    expect(calls.filter((call) => call === "PATCH workload/Node")).toHaveLength(1);
    expect(calls.filter((call) => call.endsWith("/eviction"))).toHaveLength(1);
    expect((await deletingOf("w"))?.reason).toBe("DrainingNode");
    await set(world, Machine, await world.api.get(Machine, key("w")), {
      spec: { deletion: { nodeDrainTimeoutSeconds: 60 } },
    });
    const isOver = async (): Promise<boolean> => (await machineNamed(world, "w")) === undefined;
    await world.clock.advanceUntil(isOver, { maxMs: 10_000 });
  });

  it("does not begin while a rule asks for what cannot be read", async () => {
    world = await startHealthWorld(["w"]);
    await createPod("app", "w");
    await world.api.create(MachineDrainRule, {
      apiVersion: apiVersionOf(MachineDrainRule),
      kind: MachineDrainRule.kind,
      metadata: { name: "r", namespace: "default" },
      spec: { drain: { behavior: "Skip" }, pods: [{ namespaceSelector: { matchLabels: { keep: "yes" } } }] },
    });
    await world.seen(MachineDrainRule);
    world.disturb = (call) => {
      if (call !== "GET workload/Namespace") return undefined;
      throw new CapstanError({ code: "kube.not_found", reason: "NotFound", message: "Namespace default is missing" });
    };
    await remove("w");
    await says("w", "Drain of Node node-w failed: Namespace default is missing");
    expect(await isGoing("app")).toBe(false);
  });

  it("reports that it failed, in the Machine and in an event", async () => {
    world = await startHealthWorld(["w"]);
    world.disturb = (call) => {
      if (call === "GET workload/Pod") throw unavailable("nobody there");
      return undefined;
    };
    await remove("w");
    await says("w", "Drain of Node node-w failed: nobody there");
    await eventSeen("FailedDrainNode");
    const { status } = await world.api.get(Machine, key("w"));
    expect(status?.deprecated?.v1beta1?.conditions?.find(({ type }) => type === "DrainingSucceeded")).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "DrainingFailed",
    });
    world.disturb = () => undefined;
    await isGone("w");
  });
});

describe("a step of a deletion that fails", () => {
  it("is told with its cause, and is not mistaken for the one before", async () => {
    world = await startHealthWorld(["w"]);
    const { plural } = providerKinds.machine.resource;
    world.disturb = (call) => {
      if (call.startsWith("DELETE") && call.includes(`/${plural}/`)) throw unavailable("no deletions today");
      return undefined;
    };
    await remove("w");
    await stage("w", "InternalError");
    expect(await deletingOf("w")).toMatchObject({ status: "True", message: "no deletions today" });
    world.disturb = () => undefined;
    await isGone("w");
  });
});

describe("the wait for volumes", () => {
  it("names those that are still attached, but not those of Pods that stay", async () => {
    world = await startHealthWorld(["w"]);
    await attach("pv-data", "w", "data");
    await attach("pv-logs", "w", "logs");
    await createPod("logger", "w", {
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "logs" } }],
    });
    const labels = { [Label.drain]: "skip" };
    await world.workload.patch(Pods, key("logger"), { type: "merge", body: { metadata: { labels } } });
    await remove("w");
    await stage("w", "WaitingForVolumeDetach");
    const message = (await deletingOf("w"))?.message ?? "";
    expect(message).toContain("pv-data");
    expect(message).not.toContain("pv-logs");
    const infra = await world.api.get(providerKinds.machine.resource, key("w"));
    expect(infra.metadata.deletionTimestamp).toBeUndefined();
    await world.workload.delete(VolumeAttachments, { name: "pv-data" });
    await isGone("w");
    await eventSeen("NodeVolumesDetached");
  });

  it("ends when nobody is left on the Node to detach them", async () => {
    world = await startHealthWorld(["w"]);
    await attach("pv", "w", "data");
    await remove("w");
    await stage("w", "WaitingForVolumeDetach");
    await nodeBecomes(world, "w", "Unknown");
    await isGone("w");
    expect(await world.workload.find(VolumeAttachments, { name: "pv" })).toBeDefined();
  });
});

describe("the Node of a Machine that is deleted", () => {
  it("is kept with the last Machine of the control plane", async () => {
    world = await startHealthWorld([]);
    await remove("cp");
    await isGone("cp");
    expect([(await nodeOf("cp")) !== undefined, await isCordoned("cp")]).toEqual([true, false]);
  });

  it("goes where the control plane runs elsewhere, and is kept when that is being deleted", async () => {
    const { controlPlane } = providerKinds;
    world = await startWorld();
    await createCluster(world, "prod", { controlPlaneRef: { ...controlPlane.ref, name: "prod" } });
    const object = await world.api.create(controlPlane.resource, providerObject(controlPlane, "prod"));
    await provideInfrastructure(world);
    await giveKubeconfig(world);
    const status = { initialization: { controlPlaneInitialized: true }, externalManagedControlPlane: true };
    await setStatus(world, controlPlane.resource, object, status);
    for (const name of ["a", "b"]) await createRunning(world, name);
    await remove("a");
    await isGone("a");
    expect(await nodeOf("a")).toBeUndefined();
    await hold(world, controlPlane, "prod");
    await world.api.delete(controlPlane.resource, key("prod"));
    await world.seen(controlPlane.resource);
    await remove("b");
    await isGone("b");
    expect([(await nodeOf("b")) !== undefined, await isCordoned("b")]).toEqual([true, false]);
  });

  it("is found once more when the infrastructure never became ready", async () => {
    world = await startHealthWorld([]);
    await createMachine(world, "early");
    await bootstrap(world, "early");
    const kind = providerKinds.machine.resource;
    await set(world, kind, await world.api.get(kind, key("early")), {
      spec: { providerID: providerIDOf("early") },
    });
    await join(world, "early");
    await world.settle();
    expect((await machineNamed(world, "early"))?.status?.nodeRef).toBeUndefined();
    await remove("early");
    await isGone("early");
    expect(await nodeOf("early")).toBeUndefined();
  });

  it("is found when the machine joined on its way out, before anybody gave it a provider id", async () => {
    world = await startHealthWorld([]);
    const kind = providerKinds.machine.resource;
    await createMachine(world, "late");
    await bootstrap(world, "late");
    await hold(world, providerKinds.machine, "late");
    await setStatus(world, kind, await world.api.get(kind, key("late")), {
      addresses: [{ type: "InternalIP", address: "10.0.0.7" }],
    });
    await remove("late");
    await stage("late", "WaitingForInfrastructureDeletion");
    const node = (name: string, address: string) => ({
      metadata: { name },
      status: { addresses: [{ type: "InternalIP", address }] },
    });
    for (const { metadata, status } of [node("somebody", "10.0.0.7"), node("else", "10.0.0.8")]) {
      await world.workload.create(NodeResource, { apiVersion: "v1", kind: "Node", metadata });
      const body = { status };
      await world.workload.patch(NodeResource, metadata, { type: "merge", body }, { subresource: "status" });
    }
    await world.settle();
    await release(world, providerKinds.machine, "late");
    await isGone("late");
    const names = (await world.workload.list(NodeResource)).items.map(({ metadata }) => metadata.name ?? "");
    expect(names.toSorted()).toEqual(["else", "node-cp"]);
  });

  it("is left alone where another Machine has the address by now", async () => {
    world = await startHealthWorld([]);
    const kind = providerKinds.machine.resource;
    const addresses = [{ type: "InternalIP", address: "10.0.0.7" }];
    await createMachine(world, "old");
    await bootstrap(world, "old");
    await setStatus(world, kind, await world.api.get(kind, key("old")), { addresses });
    await createMachine(world, "new");
    await bootstrap(world, "new");
    await provision(world, "new", { addresses });
    await world.until(async () => (await machineNamed(world, "new"))?.status?.addresses !== undefined);
    const metadata = { name: "node-new" };
    await world.workload.create(NodeResource, { apiVersion: "v1", kind: "Node", metadata });
    const body = { status: { addresses } };
    await world.workload.patch(NodeResource, metadata, { type: "merge", body }, { subresource: "status" });
    await world.settle();
    await remove("old");
    await isGone("old");
    expect([(await nodeOf("new")) !== undefined, await isCordoned("new")]).toEqual([true, false]);
  });

  it("does not keep the Machine for ever where the kubeconfig is gone", async () => {
    world = await startWorld();
    await createCluster(world);
    await provideInfrastructure(world);
    await createMachine(world, "cp", { labels: { [Label.controlPlane]: "" } });
    await setStatus(world, Machine, await createMachine(world, "w"), { nodeRef: { name: "node-w" } });
    await remove("w");
    const lost = "the workload cluster cannot be reached: Secret default/prod-kubeconfig";
    await says("w", `Drain of Node node-w waits: ${lost}`);
    expect((await deletingOf("w"))?.message).toContain(`annotate it with ${Annotation.excludeNodeDraining}`);
    await annotate("w", { [Annotation.excludeNodeDraining]: "" });
    await says("w", `Volumes of Node node-w cannot be read: ${lost}`);
    await annotate("w", { [Annotation.excludeWaitForNodeVolumeDetach]: "" });
    await stage("w", "DeletingNode");
    expect((await deletingOf("w"))?.message).toContain(lost);
    const isOver = async (): Promise<boolean> => (await machineNamed(world, "w")) === undefined;
    await world.clock.advanceUntil(isOver, { maxMs: 20_000 });
  });

  it("is tried for ever without a time limit", async () => {
    world = await startHealthWorld(["w"]);
    await set(world, Machine, await world.api.get(Machine, key("w")), {
      spec: { deletion: { nodeDeletionTimeoutSeconds: 0 } },
    });
    world.disturb = (call) => {
      if (call === "DELETE workload/Node") throw unavailable("nobody there");
      return undefined;
    };
    await remove("w");
    await stage("w", "DeletingNode");
    await world.clock.advance(3_600_000);
    expect((await deletingOf("w"))?.message).toBe("Node node-w: nobody there");
    const { status } = await world.api.get(Machine, key("w"));
    expect(status?.deprecated?.v1beta1?.conditions?.find(({ type }) => type === "NodeHealthy")).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "DeletionFailed",
    });
    await eventSeen("FailedDeleteNode");
    world.disturb = () => undefined;
    await isGone("w");
    expect(await nodeOf("w")).toBeUndefined();
  });
});
