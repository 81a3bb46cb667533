import type { ConditionInput } from "@capstan/contract/wire";
import { findCondition, withConditions } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine, MachineHealthCheck } from "../src/api.ts";
import { createCheck, nodeBecomes, pass, saidOf, startHealthWorld } from "./health-check-world.ts";
import { key } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { World } from "./world.ts";
import { setStatus } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await startHealthWorld(["w1"]);
});
afterEach(async () => {
  await world.stop();
});

const machines = providerKinds.machine.resource;

const statusWrites = (): number =>
  world.requests.filter((request) => /PATCH .*\/machines\/w1\/status$/.test(request)).length;

const messageOf = async (type: string): Promise<string | undefined> =>
  findCondition(await world.api.get(Machine, key("w1")), type)?.message;

/** The infrastructure explains again how it is: no more than progress, which waits a little. */
const explain = async (message: string): Promise<void> => {
  const condition = {
    type: "Ready",
    status: "True",
    reason: "Ready",
    message,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  await setStatus(world, machines, await world.api.get(machines, key("w1")), { conditions: [condition] });
};

describe("conditions that several controllers write on one Machine", () => {
  it("are kept while progress waits to be written, although no cache shows them", async () => {
    await explain("first");
    await world.until(async () => (await messageOf("InfrastructureReady")) === "first");
    await world.settle();
    const before = statusWrites();
    const looks = await world.reconciles("machine");
    await explain("second");
    await world.until(async () => (await world.reconciles("machine")) > looks);
    expect(statusWrites()).toBe(before);
    world.blind = true;
    const inputs: readonly ConditionInput[] = [
      { type: "HealthCheckSucceeded", status: "False", reason: "UnhealthyNode" },
      { type: "OwnerRemediated", status: "False", reason: "WaitingForRemediation" },
    ];
    const machine = await world.api.get(Machine, key("w1"));
    const { status } = withConditions(machine, inputs, world.clock.now());
    await setStatus(world, Machine, machine, { conditions: status?.conditions });
    await world.until(() => statusWrites() > before);
    await world.settle();
    expect(await messageOf("InfrastructureReady")).toBe("first");
    world.blind = false;
    await world.until(async () => (await messageOf("InfrastructureReady")) === "second");
    expect(await saidOf(world, "w1", "HealthCheckSucceeded")).toBe("False/UnhealthyNode");
    expect(await saidOf(world, "w1", "OwnerRemediated")).toBe("False/WaitingForRemediation");
  });

  it("come and go as the health check says, while the infrastructure explains itself all the time", async () => {
    await createCheck(world);
    await world.seen(MachineHealthCheck);
    await nodeBecomes(world, "w1", "False");
    for (let minute = 0; minute < 6; minute += 1) {
      await explain(`minute ${minute}`);
      await pass(world, 60);
    }
    await world.until(async () => (await saidOf(world, "w1", "OwnerRemediated")) === "False/WaitingForRemediation");
    await explain("as it should be");
    await nodeBecomes(world, "w1", "True");
    await world.until(async () => (await saidOf(world, "w1", "HealthCheckSucceeded")) === "True/HealthCheckSucceeded");
    await world.until(async () => (await messageOf("InfrastructureReady")) === "as it should be");
    expect(await saidOf(world, "w1", "OwnerRemediated")).toBeUndefined();
  });
});
