import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CompositeConfig } from "@capstan/bootstrap-composite/api";
import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { clusterSecretType } from "@capstan/contract";
import { MachineResource, SecretResource } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestSystem, type TestSystem } from "./test-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/linode/composite-bootstrap.yaml"), "utf8");

describe("bootstrap data made of several parts", () => {
  let system: TestSystem;
  const script = /apiVersion: v1\nkind: Secret\nmetadata:\n {2}name: fern-team-script[^]*?---\n/;

  beforeAll(async () => {
    system = await startTestSystem(example.replace(script, ""));
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const list = async (kind: Resource): Promise<readonly KubeObject[]> =>
    (await system.running.client.list(kind, { namespace: "default" })).items;
  const workers = async (kind: Resource) =>
    (await list(kind)).filter(({ metadata }) => metadata.name?.startsWith("fern-workers") === true);

  it("waits for every part and names the one that is missing", async () => {
    await system.untilReason("part team: Secret fern-team-script does not exist; create it");
    for (const kind of [CompositeConfig, KubeadmConfig]) {
      await system.until(async () => (await workers(kind)).length === 2);
    }
    await system.apply(script.exec(example)?.[0] ?? "");
  });

  it("makes Nodes of machines whose configs come from templates of several providers", async () => {
    await system.untilRunning();
    const [machine] = await workers(MachineResource);
    const name = machine?.metadata.name ?? "";
    const config = await system.running.client.get(KubeadmConfig, { namespace: "default", name: `${name}-node` });
    expect(config.metadata.ownerReferences).toMatchObject([
      { kind: "Machine", name, controller: true },
      { kind: "CompositeConfig", name },
    ]);
    const secret = await system.running.client.get(SecretResource, { namespace: "default", name });
    expect(secret["type"]).toBe(clusterSecretType);
    const data = secret["data"] as Readonly<Record<string, string>>;
    const document = Buffer.from(data["value"] ?? "", "base64").toString();
    const order = ["echo company", "kubeadm join", "echo team"].map((text) => document.indexOf(text));
    expect(order.every((position) => position > 0)).toBe(true);
    expect(order).toEqual(order.toSorted((left, right) => left - right));
  });

  it("goes with its Machine, parts included", async () => {
    const configs = async () => [...(await workers(KubeadmConfig)), ...(await workers(CompositeConfig))];
    // Read before the deletion, which new Machines follow at once.
    const before = new Set((await configs()).map(({ metadata }) => metadata.uid));
    expect(before.size).toBe(4);
    for (const machine of await workers(MachineResource)) {
      await system.running.client.delete(MachineResource, { namespace: "default", name: machine.metadata.name ?? "" });
    }
    await system.until(async () => (await configs()).every(({ metadata }) => !before.has(metadata.uid)));
    await system.until(
      async () => (await workers(MachineResource)).length === 2 && system.simulator.state.instances.length === 3,
    );
    await system.untilRunning();
  });
});
