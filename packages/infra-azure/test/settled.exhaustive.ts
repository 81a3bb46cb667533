import { MachineResource } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { location } from "./cloud.ts";
import { poolScene } from "./pool-scene.ts";
import type { Scene } from "./scene.ts";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const syncPeriodMs = 600_000;
const names = ["a", "b", "c", "d"] as const;

/** A cluster with an internal API server, a bastion host and four machines, of which everything is as it should be. */
const settled = async (pools: readonly ("Uniform" | "Flexible")[] = []): Promise<Scene> => {
  const scene = await openScene(environment);
  await scene.cluster({
    bastionSpec: { azureBastion: {} },
    networkSpec: { apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: {} },
  });
  for (const name of names) await scene.machine({}, { name, controlPlane: name === "a" });
  await scene.managers.start();
  for (const orchestrationMode of pools) {
    const pool = poolScene(environment, scene);
    await pool.create({ orchestrationMode }, { replicas: 2 });
    const machines = await pool.machinesAre(2, (machine) => machine.status?.ready === true);
    for (const { metadata } of machines) await hasNode(scene, metadata.name ?? "");
  }
  for (const name of names) {
    await scene.machineIs(isReady, name);
    await hasNode(scene, name);
  }
  // Everything is read once more after the first list, and what no Node reports is looked for in the logs of machines.
  await environment.pass(4 * syncPeriodMs);
  return scene;
};

/** The Node of a Machine is healthy. */
const hasNode = async ({ core }: Scene, name: string): Promise<void> => {
  const healthy = {
    type: "NodeHealthy",
    status: "True",
    reason: "NodeHealthy",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  await core.setStatus(MachineResource, name, "status.conditions", [healthy]);
};

/** Method and path of what was asked of the resource manager since there were so many requests. */
const requestsSince = ({ cloud: { simulator } }: Scene, count: number): readonly string[] =>
  simulator.requests.log
    .slice(count)
    .filter(({ path }) => path.startsWith("/subscriptions/"))
    .map(({ method, path }) => `${method} ${path.replace(/^.*\/resourceGroups\//, "")}`);

describe("a settled cluster", () => {
  it.each([
    ["", []],
    [" and a Uniform pool", ["Uniform"] as const],
    [" and a Flexible pool", ["Flexible"] as const],
  ])("costs one list in a sync period with its machines%s, and no write", async (_, pools) => {
    await using scene = await settled(pools);
    const before = scene.cloud.simulator.requests.log.length;
    await environment.pass(4 * syncPeriodMs);
    const requests = requestsSince(scene, before);
    const { namespace } = scene.core;
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(new Set(requests)).toEqual(new Set([`GET ${namespace}/resources`]));
  });

  it("is read again where the list shows a change, and is put right", async () => {
    await using scene = await settled();
    const group = scene.resource("networkSecurityGroups", "controlplane-nsg");
    await scene.cloud.call("PUT", group.id, { location, tags: group.tags, properties: { securityRules: [] } });
    const before = scene.cloud.simulator.requests.log.length;
    const rules = () => propertiesOf(scene.resource("networkSecurityGroups", "controlplane-nsg"))["securityRules"];
    await environment.until(() => rules()?.length === 2, 3 * syncPeriodMs);
    await environment.pass(60_000);
    const others = requestsSince(scene, before).filter(
      (request) => !request.includes("networkSecurityGroups") && !request.endsWith("/resources"),
    );
    // What is written is surveyed once as it is at that moment.
    expect(others.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("sees that a machine was deleted at Azure", async () => {
    await using scene = await settled();
    await scene.cloud.call("DELETE", scene.resource("virtualMachines", "b").id);
    await scene.machineIs((machine) => machine.status?.vmState === "Deleted", "b");
  });

  it("sees that a machine whose Node is not healthy was switched off", async () => {
    await using scene = await settled();
    Object.assign(scene.resource("virtualMachines", "b").machine!, { deallocated: true });
    await scene.core.setStatus(MachineResource, "b", "status.conditions", []);
    await scene.machineIs(because("Stopped"), "b");
  });

  it("reads each resource where its principal may not list them", async () => {
    await using scene = await openScene(environment);
    const refused = { kind: "status", status: 403, code: "AuthorizationFailed", reason: "may not list" } as const;
    scene.cloud.simulator.faults.add({ method: "GET", path: /\/resources$/, action: refused });
    await scene.cluster();
    await scene.managers.start();
    await scene.clusterIs(isReady);
    const group = scene.resource("networkSecurityGroups", "controlplane-nsg");
    await scene.cloud.call("PUT", group.id, { location, tags: group.tags, properties: { securityRules: [] } });
    const rules = () => propertiesOf(scene.resource("networkSecurityGroups", "controlplane-nsg"))["securityRules"];
    await environment.until(() => rules()?.length === 2, 3 * syncPeriodMs);
  });
});
