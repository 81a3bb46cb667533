import { readFileSync } from "node:fs";
import { conditionOf, ConditionType, MachineResource, ClusterResource } from "@capstan/contract/wire";
import { readTree } from "@capstan/inspect";
import { createDiscovery } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderTree } from "../src/describe/render.ts";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

/** The example without the commands that install containerd and Kubernetes; its script is still a file of the machines. */
const withoutInstallStep = (): string => {
  const text = readFileSync(example, "utf8");
  const left = text.replaceAll(/^ +preKubeadmCommands:\n(?: +- .*\n)+/gm, "");
  if (left === text) throw new Error("the example has no preKubeadmCommands");
  return left;
};

const missing = "kubeadm: command not found: install Kubernetes in preKubeadmCommands, or use an image that has it";

describe("a manifest that installs Kubernetes nowhere, on a stock image", () => {
  let system: TestSystem;
  beforeAll(async () => {
    system = await startTestSystem(withoutInstallStep());
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("ends within two minutes with a Machine that says that kubeadm is missing and how to fix it", async () => {
    const { client, progress } = system.running;
    const begun = system.clock.now();
    let machine: KubeObject | undefined;
    await system.until(async () => {
      machine = (await client.list<KubeObject>(MachineResource)).items.find(
        (each) => conditionOf(each, ConditionType.bootstrapSucceeded)?.status === "False",
      );
      return machine !== undefined;
    });
    expect(system.clock.now() - begun).toBeLessThan(120_000);
    if (machine === undefined) throw new Error("no Machine failed");
    for (const type of [ConditionType.bootstrapSucceeded, "InfrastructureReady"]) {
      expect(conditionOf(machine, type)?.message, type).toContain(`bootstrapping failed: ${missing}\n`);
    }
    expect(conditionOf(machine, ConditionType.bootstrapSucceeded)?.message).toContain("runcmd: 2: kubeadm: not found");
    await system.untilReason(missing);
    expect(progress.verdict().reasons.join("\n")).toContain(missing);
    const source = { list: async (kind: Parameters<typeof client.list>[0]) => (await client.list(kind)).items };
    const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
    const tree = await readTree(source, createDiscovery(client), what);
    expect(renderTree(tree, { now: system.clock.now(), colour: false, showConditions: [] })).toContain(missing);
  });
});
