import { Label } from "@capstan/contract";
import { ClusterResource, ConfigMapResource, ownerReference } from "@capstan/contract/wire";
import { initLock, initOrJoin, ready, type BootstrapOutcome } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { CallGate, ConformanceEnvironment, gatedClient } from "@capstan/testing/environment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMachines, deleteMachine, managementCluster, type ManagementCluster } from "./management-cluster.ts";

let environment: ConformanceEnvironment;
let place: ManagementCluster;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([]);
});
afterAll(() => environment.stop());
beforeEach(async () => {
  place = await managementCluster(environment);
});

const stored = () => place.client.find(ConfigMapResource, place.core.key("orchid-lock"));

describe("the lock of a cluster's first machine", () => {
  it("is the object that upstream's providers use", async () => {
    await initLock(place).acquire("m-0");
    expect(await stored()).toMatchObject({
      metadata: {
        labels: { [Label.clusterName]: "orchid" },
        ownerReferences: [ownerReference(ClusterResource, place.cluster)],
      },
      data: { "lock-information": '{"machineName":"m-0"}' },
    });
  });

  it("is given to one, who holds it still after a crash", async () => {
    await createMachines(place, "m-0", "m-1", "m-2");
    const names = ["m-0", "m-1", "m-2"];
    const got = await Promise.all(names.map((name) => initLock(place).acquire(name)));
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(names.map((name) => initLock(place).acquire(name)))).toEqual(got);
  });

  it("is free again once released, and releasing it twice does no harm", async () => {
    await createMachines(place, "m-0", "m-1");
    const lock = initLock(place);
    expect(await lock.acquire("m-0")).toBe(true);
    expect(await lock.acquire("m-1")).toBe(false);
    await lock.release();
    await lock.release();
    expect(await lock.acquire("m-1")).toBe(true);
  });

  it("is taken from a Machine that is gone, and from nobody", async () => {
    await createMachines(place, "m-0", "m-1");
    const lock = initLock(place);
    await lock.acquire("m-0");
    await deleteMachine(place, "m-0");
    expect(await lock.acquire("m-1")).toBe(true);
    for (const data of [{ "lock-information": "not JSON" }, { "lock-information": "{}" }, {}]) {
      await lock.release();
      const metadata = place.core.key("orchid-lock");
      await place.client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
      expect(await lock.acquire("m-1")).toBe(true);
    }
  });

  it("is not taken from its next holder by one who still sees the last", async () => {
    await createMachines(place, "m-0", "m-1", "m-2");
    await initLock(place).acquire("m-0");
    await deleteMachine(place, "m-0");
    let swapped = false;
    const late: Client = {
      ...gatedClient(place.client, new CallGate()),
      delete: async (...args) => {
        if (!swapped) {
          swapped = true;
          await initLock(place).acquire("m-1");
          expect(await initLock(place).acquire("m-1")).toBe(true);
        }
        await place.client.delete(...args);
      },
    };
    expect(await initLock({ ...place, client: late }).acquire("m-2")).toBe(false);
    expect(swapped).toBe(true);
    expect(await initLock(place).acquire("m-2")).toBe(false);
    expect(await initLock(place).acquire("m-1")).toBe(true);
  });
});

describe("who begins a cluster and who joins it", () => {
  const machine = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Machine", metadata: { name } });
  const document = (value: string): BootstrapOutcome => ready({ value, format: "cloud-config" });
  const run = (
    name: string,
    options: { readonly worker?: boolean; readonly cluster?: KubeObject; readonly fails?: boolean } = {},
  ) =>
    initOrJoin(
      {
        ...place,
        cluster: options.cluster ?? place.cluster,
        machine: machine(name),
        controlPlane: options.worker !== true,
      },
      {
        init: async () => {
          if (options.fails === true) throw new Error("no certificates");
          return document("init");
        },
        join: async () => document("join"),
      },
    );

  it("one begins it, and the others wait", async () => {
    await createMachines(place, "m-0", "m-1", "w");
    expect(await run("w", { worker: true })).not.toHaveProperty("requeueAfterMs");
    expect(await run("m-0")).toEqual(document("init"));
    expect(await run("m-1")).toMatchObject({ state: "waiting", reason: "WaitingForControlPlaneAvailable" });
    expect(await run("m-0")).toEqual(document("init"));
  });

  it("one that cannot begin lets another try", async () => {
    await createMachines(place, "m-0", "m-1");
    await expect(run("m-0", { fails: true })).rejects.toThrow("no certificates");
    expect(await run("m-1")).toEqual(document("init"));
  });

  it.each([
    { status: { initialization: { controlPlaneInitialized: true } } },
    { status: { conditions: [{ type: "ControlPlaneInitialized", status: "True" }] } },
  ])("all join once the control plane is there: %j", async ({ status }) => {
    await createMachines(place, "m-0", "m-1", "w");
    await run("m-0");
    const cluster = { ...place.cluster, status };
    expect(await run("w", { cluster, worker: true })).toEqual(document("join"));
    expect(await stored()).toBeDefined();
    expect(await run("m-1", { cluster })).toEqual(document("join"));
    expect(await stored()).toBeUndefined();
  });
});
