import { Annotation, Label } from "@capstan/contract";
import { findCondition } from "@capstan/kit/machines";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cluster, Machine, MachineDeployment, MachineSet } from "../src/api.ts";
import { createCheck, nodeBecomes, saidOf } from "./health-check-world.ts";
import { hold, key, providerObject, release } from "./hand-provider.ts";
import { providerKinds } from "./provider-kinds.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set, setStatus } from "./world.ts";

let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
});
afterEach(async () => {
  await world.stop();
});

const workers = async (): Promise<readonly string[]> =>
  (await given.list(Machine))
    .filter(({ metadata }) => metadata.labels?.[Label.deploymentName] === "md")
    .map(({ metadata }) => metadata.name ?? "");

const start = async (replicas: number, spec: object = {}): Promise<readonly string[]> => {
  await given.startControlPlane();
  await given.createDeployment(replicas);
  await set(world, MachineDeployment, await given.deployment(), { spec });
  await world.until(async () => {
    await given.serve();
    return (await given.deployment()).status?.availableReplicas === replicas;
  });
  await createCheck(world);
  await world.settle();
  return workers();
};

const blockedBy = async (text: string): Promise<boolean> => {
  const [only] = await given.list(MachineSet);
  return only !== undefined && (findCondition(only, "ScalingUp")?.message ?? "").includes(text);
};

describe("remediation", () => {
  it("replaces Machines whose Nodes stay ill, as many at once as the deployment allows", async () => {
    const [first = "", second = "", third = ""] = await start(3, { remediation: { maxInFlight: 1 } });
    for (const name of [first, second]) {
      await hold(world, providerKinds.machine, name);
      await nodeBecomes(world, name, "False");
    }
    const said = async (): Promise<string> =>
      [await saidOf(world, first, "OwnerRemediated"), await saidOf(world, second, "OwnerRemediated")]
        .toSorted((a = "", b = "") => (a < b ? -1 : 1))
        .join(" ");
    await world.until(async () => (await said()) === "False/MachineDeleting False/RemediationDeferred");
    await world.settle();
    const deferred = (await saidOf(world, first, "OwnerRemediated")) === "False/RemediationDeferred" ? first : second;
    const machine = await world.api.get(Machine, key(deferred));
    expect(findCondition(machine, "OwnerRemediated")?.message).toContain("maxInFlight is 1");
    expect(machine.metadata.deletionTimestamp).toBeUndefined();
    expect(findCondition(await given.deployment(), "Remediating")).toMatchObject({ status: "True" });
    for (const name of [first, second]) await release(world, providerKinds.machine, name);
    await world.until(async () => {
      await given.serve();
      const present = await workers();
      return present.length === 3 && !present.includes(first) && !present.includes(second);
    });
    expect(await workers()).toContain(third);
    await world.until(async () => findCondition(await given.deployment(), "Remediating")?.status === "False");
  });

  it("goes on as soon as the deployment allows more", async () => {
    const [name = ""] = await start(1, { remediation: { maxInFlight: 0 } });
    await nodeBecomes(world, name, "False");
    await world.until(async () => (await saidOf(world, name, "OwnerRemediated")) === "False/RemediationDeferred");
    await world.settle();
    await set(world, MachineDeployment, await given.deployment(), { spec: { remediation: { maxInFlight: 1 } } });
    await world.clock.advanceUntil(async () => !(await workers()).includes(name), { maxMs: 60_000 });
  });

  it("leaves Machines of an old template to the rollout", async () => {
    const [name = ""] = await start(1);
    const template = { spec: { version: "v1.34.0" } };
    await set(world, MachineDeployment, await given.deployment(), { spec: { template } });
    await world.until(async () => (await workers()).length === 2);
    await nodeBecomes(world, name, "False");
    await world.until(async () => (await saidOf(world, name, "OwnerRemediated")) === "False/CannotBeRemediated");
    expect((await world.api.get(Machine, key(name))).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe("preflight checks", () => {
  const plane = providerKinds.controlPlane;

  beforeEach(async () => {
    const spec = { version: "v1.33.4", replicas: 1 };
    await world.api.create(plane.resource, providerObject(plane, "prod", spec));
    const cluster = await world.api.get<Cluster>(Cluster, key("prod"));
    await set(world, Cluster, cluster, { spec: { controlPlaneRef: { ...plane.ref, name: "prod" } } });
    await world.seen(Cluster);
  });

  it("hold Machines back until the control plane is stable", async () => {
    await given.createDeployment(1);
    await world.until(() => blockedBy("TestControlPlane default/prod is provisioning"));
    await world.settle();
    expect(await workers()).toEqual([]);
    expect(await given.names(providerKinds.machine.resource)).toEqual([]);
    const [only] = await given.list(MachineSet);
    expect(only?.status?.deprecated?.v1beta1?.conditions).toContainEqual(
      expect.objectContaining({ type: "MachinesCreated", status: "False", reason: "PreflightCheckFailed" }),
    );
    const object = await world.api.get(plane.resource, key("prod"));
    await setStatus(world, plane.resource, object, { versions: [{ version: "v1.33.4", replicas: 1 }] });
    await world.until(async () => (await workers()).length === 1);
    await world.until(async () => !(await blockedBy("provisioning")));
  });

  it("are skipped where an annotation says so", async () => {
    await given.createDeployment(1);
    await world.until(() => blockedBy("preflight check failed"));
    await set(world, MachineDeployment, await given.deployment(), {
      metadata: { annotations: { [Annotation.skipPreflightChecks]: "ControlPlaneIsStable" } },
    });
    await world.until(async () => (await workers()).length === 1);
  });
});
