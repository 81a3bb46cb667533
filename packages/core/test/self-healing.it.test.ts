import { rfc3339 } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import { findCondition, isConditionTrue } from "@capstan/kit/machines";
import { afterEach, describe, expect, it } from "vitest";
import { Machine, MachineDeployment } from "../src/api.ts";
import { checkOf, createCheck, nodeBecomes, saidOf } from "./health-check-world.ts";
import { key } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, setStatus } from "./world.ts";

let given: WorkerWorld;
let world: World;
afterEach(async () => {
  await world.stop();
});

/** Some workers of a deployment that run, and a check of them. */
const start = async (replicas: number, check: Parameters<typeof createCheck>[1]): Promise<readonly string[]> => {
  given = await startWorkerWorld();
  ({ world } = given);
  await given.startControlPlane();
  await given.createDeployment(replicas);
  await allHealthy(replicas);
  await createCheck(world, check);
  const names = await workers();
  for (const name of names) {
    await world.until(async () => (await saidOf(world, name, "HealthCheckSucceeded"))?.startsWith("True") === true);
  }
  return names;
};

const workers = async (): Promise<readonly string[]> => (await given.names(Machine)).filter((name) => name !== "cp");

const allHealthy = (replicas: number): Promise<void> =>
  world.until(async () => {
    await given.serve();
    const machines = (await given.list(Machine)).filter(({ metadata }) => metadata.name !== "cp");
    return machines.length === replicas && machines.every((machine) => isConditionTrue(machine, "Ready"));
  });

describe("a cluster that heals itself", () => {
  it("replaces the Machine of a Node that is lost, and only that", async () => {
    const before = await start(3, {});
    const [victim = "", ...others] = before;
    await nodeBecomes(world, victim, "Unknown");
    const isGone = async (): Promise<boolean> => (await world.api.find(Machine, key(victim))) === undefined;
    await world.clock.advanceUntil(isGone, { stepMs: 1000 });
    await allHealthy(3);
    expect(await workers()).toEqual(expect.arrayContaining([...others]));
    expect(await world.workload.find(NodeResource, { name: `node-${victim}` })).toBeUndefined();
    await world.until(async () => (await checkOf(world)).status?.currentHealthy === 3);
    await world.settle();
    world.requests.length = 0;
    await world.clock.advance(60_000);
    expect(world.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("replaces a Machine whose bootstrapping failed, and leaves one alone that is still bootstrapped", async () => {
    const unhealthyMachineConditions = [{ type: "BootstrapSucceeded", status: "False", timeoutSeconds: 60 }] as const;
    const [victim = "", other = ""] = await start(2, { checks: { unhealthyMachineConditions } });
    const { resource: infrastructure } = providerKinds.machine;
    const report = async (name: string, status: string, reason: string): Promise<void> => {
      const object = await world.api.get(infrastructure, key(name));
      const before = (object["status"] as { readonly conditions?: readonly object[] }).conditions ?? [];
      const lastTransitionTime = rfc3339(world.clock.now());
      const said = { type: "BootstrapSucceeded", status, reason, message: "kubeadm: x", lastTransitionTime };
      await setStatus(world, infrastructure, object, { conditions: [...before, said] });
    };
    await report(other, "Unknown", "InProgress");
    await report(victim, "False", "Failed");
    const since = world.clock.now();
    await world.until(async () => (await saidOf(world, victim, "BootstrapSucceeded")) === "False/Failed");
    const machine = await world.api.get(Machine, key(victim));
    expect(findCondition(machine, "BootstrapSucceeded")).toMatchObject({ message: "kubeadm: x" });
    expect(isConditionTrue(machine, "Ready"), "the Node decides about that").toBe(true);
    const isGone = async (): Promise<boolean> => (await world.api.find(Machine, key(victim))) === undefined;
    await world.clock.advanceUntil(isGone, { stepMs: 1000 });
    expect(world.clock.now() - since).toBeGreaterThan(60_000);
    await allHealthy(2);
    expect(await workers()).toContain(other);
    expect(await saidOf(world, other, "BootstrapSucceeded")).toBe("Unknown/InProgress");
  });

  it("replaces one after the other where no more are allowed at once, and none when most are lost", async () => {
    const names = await start(4, { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "50%" } } });
    await set(world, MachineDeployment, await given.deployment(), { spec: { remediation: { maxInFlight: 1 } } });
    for (const name of names.slice(0, 3)) await nodeBecomes(world, name, "Unknown");
    for (const name of names.slice(0, 3)) {
      await world.clock.advanceUntil(
        async () => (await saidOf(world, name, "HealthCheckSucceeded")) === "False/UnhealthyNode",
        { stepMs: 1000 },
      );
    }
    await world.settle();
    expect(await workers()).toEqual(names);

    // One comes back by itself: now the others are few enough.
    await nodeBecomes(world, names[0] ?? "", "True");
    let mostAway = 0;
    await world.until(async () => {
      const present = await given.list(Machine);
      const going = present.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length;
      mostAway = Math.max(mostAway, going);
      return names.slice(1, 3).every((name) => present.every(({ metadata }) => metadata.name !== name));
    });
    await allHealthy(4);
    expect(mostAway).toBeLessThanOrEqual(1);
    expect(await workers()).toEqual(expect.arrayContaining([names[0], names[3]]));
    expect(await world.api.find(Machine, key("cp"))).toBeDefined();
  });
});
