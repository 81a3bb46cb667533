import { silentLogger } from "@capstan/contract";
import type { Clock, Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { beforeEach, describe, expect, it } from "vitest";
import { builtinOwner, createRegistry } from "../../registry/registry.ts";
import { createCore, serverUser } from "../../registry/resource-store.ts";
import { isStatusError } from "../../model/status-error.ts";
import type { ActionCall, ResourceDefinition, ResourceStore } from "../../model/types.ts";
import { memoryBackend } from "../../storage/backend.ts";
import { ObjectStorage } from "../../storage/object-storage.ts";
import { builtinDefinitions } from "../definitions.ts";
import { bindPod } from "./pod-binding.ts";
import { evictPod } from "./pod-eviction.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const clock: Clock = { now: () => now, sleep: () => Promise.resolve(), schedule: () => () => undefined };
const pods = { group: "", plural: "pods" };
const budgets = { group: "policy", plural: "poddisruptionbudgets" };

let store: ResourceStore;
let random: Random;

beforeEach(async () => {
  let seed = 0;
  random = { next: () => 0, bytes: (length) => new Uint8Array(length).map(() => (seed = (seed + 7) % 256)) };
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
  ({ store } = createCore({ registry, storage, admission: [], clock, random, log: silentLogger }));
  await store.create(
    { group: "", plural: "namespaces" },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "ns" } },
  );
});

type Fields = Readonly<Record<string, unknown>>;

const call = (name: string, body: Fields = {}, options: Partial<ActionCall> = {}): ActionCall => ({
  definition: builtinDefinitions().find(({ plural }) => plural === "pods") as ResourceDefinition,
  namespace: "ns",
  name,
  verb: "create",
  query: new URLSearchParams(),
  user: serverUser,
  now,
  random,
  dryRun: false,
  warn: () => undefined,
  store,
  body: { apiVersion: "v1", kind: "Binding", metadata: { name }, ...body },
  ...options,
});

const createPod = async (name: string, options: { readonly nodeName?: string; readonly ready?: boolean } = {}) => {
  const { ready, ...placement } = options;
  const pod = await store.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "ns", labels: { app: "x" } },
    spec: { containers: [{ name: "c", image: "i" }], ...placement },
  });
  if (ready === undefined) {
    return pod;
  }
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  return await store.update(pods, { ...pod, status: { phase: "Running", conditions } }, { subresource: "status" });
};

const createBudget = async (name: string, status: Fields, spec: Fields = {}): Promise<KubeObject> => {
  const budget = await store.create(budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace: "ns" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "x" } }, ...spec },
  });
  return await store.update(
    budgets,
    { ...budget, status: { observedGeneration: 1, ...status } },
    { subresource: "status" },
  );
};

const running = { nodeName: "node", ready: true };
const exists = async (name: string): Promise<boolean> =>
  (await store.find(pods, { namespace: "ns", name }))?.metadata.deletionTimestamp === undefined;

describe("eviction", () => {
  it("deletes with the grace period it is given", async () => {
    await createPod("p", running);
    expect(await evictPod(call("p", { deleteOptions: { gracePeriodSeconds: 5 } }))).toMatchObject({
      status: "Success",
    });
    expect((await store.get(pods, { namespace: "ns", name: "p" })).metadata.deletionGracePeriodSeconds).toBe(5);
  });

  it("takes one disruption from the budget each time", async () => {
    await createBudget("b", { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 });
    await createPod("p", running);
    await createPod("q", running);
    await evictPod(call("p"));
    expect((await store.get(budgets, { namespace: "ns", name: "b" }))["status"]).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: "2026-01-01T00:00:00Z" },
    });
    const refusal = await evictPod(call("q")).catch((error: unknown) => error);
    expect(isStatusError(refusal, "TooManyRequests") && refusal.status).toMatchObject({
      code: 429,
      details: {
        causes: [
          { reason: "DisruptionBudget", message: expect.stringContaining("needs 1 healthy pods and has 2") as string },
        ],
      },
    });
    expect(await exists("q")).toBe(true);
  });

  it("waits for a budget that nobody has looked at since it changed", async () => {
    await createBudget("b", { disruptionsAllowed: 1, observedGeneration: 0 });
    await createPod("p", running);
    await expect(evictPod(call("p"))).rejects.toMatchObject({
      status: { code: 429, details: { retryAfterSeconds: 10 } },
    });
  });

  it("does not ask for pods that serve nobody", async () => {
    await createBudget("b", { disruptionsAllowed: 0 });
    await createPod("pending");
    await evictPod(call("pending"));
    expect(await store.find(pods, { namespace: "ns", name: "pending" })).toBeUndefined();
  });

  it("lets unready pods go when enough others are healthy, or always if the budget says so", async () => {
    await createPod("p", { nodeName: "node", ready: false });
    const budget = await createBudget("b", { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 });
    await expect(evictPod(call("p"))).rejects.toMatchObject({ status: { code: 429 } });
    const status = { ...(budget["status"] as Fields), currentHealthy: 1 };
    await store.update(budgets, { ...budget, status }, { subresource: "status" });
    await evictPod(call("p"));
    expect(await exists("p")).toBe(false);

    await store.delete(budgets, { namespace: "ns", name: "b" });
    await createBudget("b", { disruptionsAllowed: 0 }, { unhealthyPodEvictionPolicy: "AlwaysAllow" });
    await createPod("q", { nodeName: "node", ready: false });
    await evictPod(call("q"));
    expect(await exists("q")).toBe(false);
  });

  it("cannot choose between two budgets", async () => {
    await createBudget("a", { disruptionsAllowed: 1 });
    await createBudget("b", { disruptionsAllowed: 1 });
    await createPod("p", running);
    await expect(evictPod(call("p"))).rejects.toMatchObject({ status: { code: 500 } });
  });

  it("changes nothing in a dry run", async () => {
    await createBudget("b", { disruptionsAllowed: 1 });
    await createPod("p", running);
    await evictPod(call("p", {}, { dryRun: true }));
    expect(await exists("p")).toBe(true);
    expect((await store.get(budgets, { namespace: "ns", name: "b" }))["status"]).toMatchObject({
      disruptionsAllowed: 1,
    });
  });

  it("refuses another uid and a missing pod", async () => {
    await createPod("p", running);
    const other = { deleteOptions: { preconditions: { uid: "other" } } };
    await expect(evictPod(call("p", other))).rejects.toMatchObject({ status: { code: 409 } });
    await expect(evictPod(call("gone"))).rejects.toMatchObject({ status: { code: 404 } });
  });
});

describe("binding", () => {
  it("puts a pod on a node, once", async () => {
    await createPod("p");
    const body = { target: { kind: "Node", name: "node" }, metadata: { name: "p", annotations: { a: "b" } } };
    expect(await bindPod(call("p", body))).toMatchObject({ status: "Success" });
    expect(await store.get(pods, { namespace: "ns", name: "p" })).toMatchObject({
      metadata: { annotations: { a: "b" } },
      spec: { nodeName: "node" },
      status: { conditions: [{ type: "PodScheduled", status: "True" }] },
    });
    await expect(bindPod(call("p", body))).rejects.toMatchObject({ status: { code: 409 } });
  });

  it("finds the pod by the name in the body when the URL has none", async () => {
    await createPod("p");
    await bindPod(call("", { metadata: { name: "p" }, target: { name: "node" } }));
    expect((await store.get(pods, { namespace: "ns", name: "p" }))["spec"]).toMatchObject({ nodeName: "node" });
  });

  it("needs a target", async () => {
    await createPod("p");
    await expect(bindPod(call("p", { target: {} }))).rejects.toMatchObject({ status: { code: 422 } });
  });
});
