import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ClusterResource,
  conditionOf,
  ConditionType,
  MachineHealthCheckResource,
  MachineResource,
  SecretResource,
} from "@capstan/contract/wire";
import { AzureMachine } from "@capstan/infra-azure/api";
import { connect, loadKubeconfig } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { showTree } from "../src/describe/run-describe.ts";
import { type AzureSystem, startAzureSystem } from "./azure-system.ts";

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });
const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/failing-bootstrap.yaml"), "utf8");
const minuteMs = 60_000;

describe("a virtual machine whose kubeadm fails", () => {
  let system: AzureSystem;
  beforeAll(async () => {
    system = await startAzureSystem(example);
  });
  afterAll(() => system[Symbol.asyncDispose]());

  const workers = async (): Promise<readonly KubeObject[]> =>
    (await system.running.client.list<KubeObject>(AzureMachine)).items.filter(({ metadata }) =>
      metadata.name?.startsWith("willow-workers"),
    );
  const verdictOf = (object: KubeObject) => conditionOf(object, ConditionType.bootstrapSucceeded, "v1beta1");
  /** What `capstan describe` writes. */
  const describeCommand = async (kind: string, name: string): Promise<string> => {
    const access = await loadKubeconfig({ file: system.running.kubeconfig });
    const connection = connect({ access, clock: systemClock });
    let said = "";
    const screen = { write: (text: string) => void (said += text), colour: false };
    const options = { kind, name, namespace: "default", watch: false, output: "text", showConditions: [] } as const;
    const others = { kubeconfig: undefined, context: undefined, dataDir: undefined, grouping: true, echo: false };
    try {
      await showTree(connection, { ...options, ...others }, { screen, signal: new AbortController().signal });
    } finally {
      await connection.close();
    }
    return said;
  };
  /** The first worker whose condition is as wanted. */
  const workerThat = async (reason: string): Promise<KubeObject> => {
    let found: KubeObject | undefined;
    await system.until(async () => {
      found = (await workers()).find((each) => verdictOf(each)?.reason === reason);
      return found !== undefined;
    });
    return found!;
  };

  it("is seen to fail within a minute by objects alone: since when, why, and on the Machine too", async () => {
    const going = await workerThat("InProgress");
    expect(verdictOf(going)).toMatchObject({
      status: "Unknown",
      message: expect.stringMatching(/^bootstrapping since \d{4}-/) as string,
    });
    const since = system.clock.now();
    const failed = await workerThat("Failed");
    expect(system.clock.now() - since).toBeLessThan(minuteMs);
    const { message = "", status } = verdictOf(failed) ?? {};
    expect(status).toBe("False");
    expect(message).toMatch(/^bootstrapping failed: error execution phase[^\n]*\nEnd of the log:\n/);
    expect(Buffer.byteLength(message.split(":\n")[1] ?? "")).toBeLessThanOrEqual(1024);
    const { client } = system.running;
    const name = failed.metadata.name ?? "";
    await system.until(async () => {
      const machine = await client.find<KubeObject>(MachineResource, { namespace: "default", name });
      return machine !== undefined && verdictOf(machine)?.message === message;
    });
    await system.until(async () =>
      (await client.list(Event)).items.some((event) => event["reason"] === "BootstrapFailed"),
    );
    const secret = await client.get<KubeObject>(SecretResource, {
      namespace: "default",
      name: `${name}-bootstrap-log`,
    });
    const log = Buffer.from((secret["data"] as { log: string }).log, "base64").toString("utf8");
    expect(log, "the serial console").toContain("running 'init' of instance");
    expect(log).toContain("kubeadm: error execution phase");
    const described = await describeCommand("machine", name);
    const shown = await describeCommand("cluster", "willow");
    for (const text of [described, shown]) {
      expect(text).toMatch(
        /AzureMachine\/willow-workers-\S+ +BootstrapSucceeded: False +BootstrapFailed +\S+ +bootstrapping failed: error execution phase/,
      );
    }
    expect(JSON.stringify([failed, log, shown, system.said])).not.toMatch(/[?&]sig=|commandToExecute/);
    expect(JSON.stringify([failed, log, shown])).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}/);
  });

  it("leaves the control plane, whose sentinel is there, succeeded", async () => {
    await system.until(async () => {
      const { items } = await system.running.client.list<KubeObject>(AzureMachine, { namespace: "default" });
      const machine = items.find(({ metadata }) => metadata.name?.startsWith("willow-control-plane-"));
      return machine !== undefined && verdictOf(machine)?.status === "True";
    });
  });

  it("is replaced by the MachineHealthCheck", async () => {
    const { uid } = (await workerThat("Failed")).metadata;
    await system.until(async () => {
      const uids = (await workers()).map((each) => each.metadata.uid);
      return uids.length > 0 && !uids.includes(uid);
    });
  });

  it("leaves nothing behind at Azure", async () => {
    const { client } = system.running;
    await client.delete(MachineHealthCheckResource, { namespace: "default", name: "willow-bootstrap" });
    await client.delete(ClusterResource, { namespace: "default", name: "willow" });
    await system.until(async () => (await client.list(ClusterResource)).items.length === 0);
    const { groups, resources } = system.simulator.state;
    expect([groups.map(({ name }) => name), resources.map(({ id }) => id)]).toEqual([["capz-ci"], system.foreign]);
    expect(system.simulator.requests.violations).toEqual([]);
  });
});
