import { existsSync, readFileSync } from "node:fs";
import { ClusterResource, MachineResource, valueAt } from "@capstan/contract/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

/** The last row that was shown of an object. */
const rowOf = (system: TestSystem, kind: string, name: string): object | undefined =>
  system.said
    .flatMap((line) => (line.startsWith("[{") ? (JSON.parse(line) as readonly { kind: string; name: string }[]) : []))
    .findLast((row) => row.kind === kind && row.name === name);

describe("what the command shows", { timeout: 240_000 }, () => {
  let system: TestSystem;
  beforeAll(async () => {
    const check = `
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: { name: orchid-workers, namespace: default }
spec:
  clusterName: orchid
  selector: { matchLabels: { cluster.x-k8s.io/cluster-name: orchid } }
  checks: { unhealthyNodeConditions: [{ type: Ready, status: Unknown, timeoutSeconds: 30000 }] }
`;
    system = await startTestSystem(`${readFileSync(example, "utf8")}${check}`);
    await system.untilRunning();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("of a healthy system is done throughout", async () => {
    await system.until(() => system.running.progress.open().length === 0);
    system.running.progress.refresh();
    expect(rowOf(system, "MachineHealthCheck", "orchid-workers")).toMatchObject({ state: "4/4 healthy", done: true });
    expect(rowOf(system, "MachineDeployment", "orchid-workers")).toMatchObject({ state: "3/3 ready", done: true });
  });

  it("of a Machine whose server was shut down is that it is not ready, and why", async () => {
    const [server] = system.simulator.state.instances.values();
    const answer = await fetch(`${system.simulator.url}/v4/linode/instances/${server?.id}/shutdown`, {
      method: "POST",
      headers: { authorization: `Bearer ${system.simulator.token}` },
    });
    expect(answer.status).toBe(200);
    await system.until(() => !system.running.progress.verdict().running);
    const { items } = await system.running.client.list(MachineResource);
    expect(items.map((machine) => valueAt(machine, "status.phase"))).toEqual(Array(4).fill("Running"));
    const { reasons } = system.running.progress.verdict();
    expect(reasons.find((reason) => reason.startsWith("Machine "))).toMatch(/^Machine orchid-\S+: NotReady: \S/);
  });

  it("takes away the kubeconfig of a cluster that is gone", async () => {
    const [orchid] = await system.running.workloadKubeconfigs();
    expect(orchid).toMatchObject({ namespace: "default", name: "orchid" });
    expect(existsSync(orchid?.path ?? "")).toBe(true);
    await system.running.client.delete(ClusterResource, { namespace: "default", name: "orchid" });
    await system.until(() => !existsSync(orchid?.path ?? ""));
  });
});
