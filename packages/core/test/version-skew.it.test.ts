import { Annotation, Label } from "@capstan/contract";
import { findCondition } from "@capstan/kit/machines";
import { resource } from "@capstan/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Machine, MachineDeployment } from "../src/api.ts";
import { key, namespace } from "./hand-provider.ts";
import type { WorkerWorld } from "./worker-world.ts";
import { startWorkerWorld } from "./worker-world.ts";
import type { World } from "./world.ts";
import { set } from "./world.ts";

const EventKind = resource({ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events" });
let given: WorkerWorld;
let world: World;
beforeEach(async () => {
  given = await startWorkerWorld();
  ({ world } = given);
});
afterEach(async () => {
  await world.stop();
});

const workerVersions = async (): Promise<readonly (string | undefined)[]> =>
  (await given.list(Machine))
    .filter(({ metadata }) => metadata.labels?.[Label.deploymentName] === "md")
    .map(({ spec }) => spec.version);

const scalingUp = async (): Promise<string> => findCondition(await given.deployment(), "ScalingUp")?.message ?? "";

const warnings = async (): Promise<readonly string[]> =>
  (await world.api.list(EventKind, { namespace })).items
    .map((event) => event as unknown as { reason: string; note: string; regarding: { kind: string } })
    .filter(({ reason }) => reason === "PreflightCheckFailed")
    .map(({ note, regarding }) => `${regarding.kind}: ${note}`);

/** A control plane of one Machine, a worker of the same version, and a rollout of the workers to the next minor version. */
const rollAhead = async (): Promise<void> => {
  await given.startControlPlane();
  await world.api.patch(Machine, key("cp"), { type: "merge", body: { spec: { version: "v1.33.4" } } });
  await given.createDeployment(1);
  await world.until(async () => {
    await given.serve();
    return (await given.deployment()).status?.availableReplicas === 1;
  });
  const template = { spec: { version: "v1.34.0" } };
  await set(world, MachineDeployment, await given.deployment(), { spec: { template } });
  await world.until(async () => (await scalingUp()).includes("KubernetesVersionSkew"));
};

it("holds workers that are newer than a control plane of single Machines, and names it until that is upgraded", async () => {
  await rollAhead();
  expect(await scalingUp()).toContain("MachineSet version (1.34.0) and ControlPlane version (1.33.4, of Machine cp)");
  await world.clock.advance(120_000);
  await world.settle();
  expect(await workerVersions()).toEqual(["v1.33.4"]);
  expect(await warnings()).toEqual([
    expect.stringMatching(
      /^MachineDeployment: MachineSet md-\w+ creates no Machines: .*; upgrade the control plane first, or set the annotation machineset\.cluster\.x-k8s\.io\/skip-preflight-checks to KubernetesVersionSkew$/,
    ),
  ]);
  await world.api.patch(Machine, key("cp"), { type: "merge", body: { spec: { version: "v1.34.1" } } });
  await world.until(async () => (await workerVersions()).includes("v1.34.0"));
  await world.until(async () => !(await scalingUp()).includes("Skew"));
});

it("lets an annotation allow them", async () => {
  await rollAhead();
  await set(world, MachineDeployment, await given.deployment(), {
    metadata: { annotations: { [Annotation.skipPreflightChecks]: "KubernetesVersionSkew" } },
  });
  await world.until(async () => (await workerVersions()).includes("v1.34.0"));
});
