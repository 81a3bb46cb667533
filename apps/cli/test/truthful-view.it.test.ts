import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { condensed, readTree } from "@capstan/inspect";
import { createDiscovery } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { ClusterResource, MachineResource, valueAt } from "@capstan/contract/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderTree } from "../src/describe/render.ts";
import { frameOf } from "../src/view/frame.ts";
import { aloneExample } from "./alone.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";

const root = join(import.meta.dirname, "../../..");

/** Names and times are others at every run. */
const recorded = (text: string): string => {
  const parts = ["7hq2m", "b4xkd", "f9zrt", "t2wlp"];
  const names = new Map<string, string>();
  return text
    .replaceAll(/(?<=orchid-workers-|orchid-workers-[a-z0-9]{5}-)[a-z0-9]{5}\b/g, (part) => {
      names.set(part, names.get(part) ?? parts[names.size] ?? part);
      return names.get(part) ?? part;
    })
    .replaceAll(/(?<= )\d+[smhd](?= |\n)/g, (age) => "2m".padEnd(age.length))
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "2026-01-01T00:00:00Z")
    .replaceAll(/ +$/gm, "");
};

/** The last row that was shown of an object. */
const rowOf = (system: TestSystem, kind: string, name: string): object | undefined =>
  system.said
    .flatMap((line) => (line.startsWith("[{") ? (JSON.parse(line) as readonly { kind: string; name: string }[]) : []))
    .findLast((row) => row.kind === kind && row.name === name);

describe("what the command shows", () => {
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
    system = await startTestSystem(`${aloneExample()}${check}`);
    await system.untilRunning();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("of a healthy system is done throughout", async () => {
    await system.until(() => system.running.progress.rows().every(({ done }) => done));
    system.running.progress.refresh();
    expect(rowOf(system, "MachineHealthCheck", "orchid-workers")).toMatchObject({ state: "4/4 healthy", done: true });
    expect(rowOf(system, "MachineDeployment", "orchid-workers")).toMatchObject({ state: "3/3 ready", done: true });
  });

  describe("of a Machine whose server was shut down", () => {
    beforeAll(async () => {
      // The last one by name, so that the picture is the same at every run.
      const servers = [...system.simulator.state.instances.values()].toSorted((a, b) => (a.label < b.label ? 1 : -1));
      const answer = await fetch(`${system.simulator.url}/v4/linode/instances/${servers[0]?.id}/shutdown`, {
        method: "POST",
        headers: { authorization: `Bearer ${system.simulator.token}` },
      });
      expect(answer.status).toBe(200);
      await system.until(() => !system.running.progress.verdict().running);
    });

    it("is that it is not ready, and why", async () => {
      const { items } = await system.running.client.list(MachineResource);
      expect(items.map((machine) => valueAt(machine, "status.phase"))).toEqual(Array(4).fill("Running"));
      const { reasons } = system.running.progress.verdict();
      expect(reasons.find((reason) => reason.startsWith("Machine "))).toMatch(/^Machine orchid-\S+: NotReady: \S/);
    });

    it("is what the pictures in README and guide show", async () => {
      await system.pass(180_000);
      await system.quiet();
      const options = { columns: 110, height: 40, colour: false, summary: "3 of 4 Machines running, 2 min 5 s so far" };
      const live = frameOf(system.running.progress.rows(), options).join("\n");
      const { client } = system.running;
      const source = { list: async (kind: Resource) => (await client.list(kind)).items };
      const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
      const tree = condensed(await readTree(source, createDiscovery(client), what), { grouping: true, echo: false });
      const described = renderTree(tree, { now: system.clock.now(), colour: false, showConditions: [] });
      const pictures = recorded(
        `$ capstan up --simulate linode -f cluster.yaml\n${live}\n\n$ capstan describe cluster orchid\n${described}`,
      );
      await expect(pictures).toMatchFileSnapshot(join(root, "docs/pictures.txt"));
      const [up = "", describe = ""] = pictures.trimEnd().split("\n\n");
      expect(readFileSync(join(root, "README.md"), "utf8")).toContain(up);
      expect(readFileSync(join(root, "docs/guides/operate-capstan-up.md"), "utf8")).toContain(describe);
    });
  });

  it("of a cloud out of reach is that nothing is known, within one poll, until it answers again", async () => {
    const row = (): object | undefined =>
      system.running.progress.rows().find(({ name }) => name === "orchid-control-plane-0");
    const { faults } = system.simulator;
    const pollMs = 60_000;
    const lastedMs = async (test: () => boolean): Promise<number> => {
      const began = system.clock.now();
      await system.until(test);
      return system.clock.now() - began;
    };
    faults.add({ times: Number.POSITIVE_INFINITY, action: { kind: "reset" } });
    const isUnknown = (): boolean =>
      system.running.progress
        .verdict()
        .reasons.some((reason) =>
          reason.startsWith("Machine orchid-control-plane-0: NotReady: could not list instances"),
        );
    expect(await lastedMs(isUnknown)).toBeLessThan(pollMs + 30_000);
    expect(row()).toMatchObject({ kind: "Machine", state: "NotReady", done: false });
    const { client } = system.running;
    const source = { list: async (kind: Resource) => (await client.list(kind)).items };
    const what = { resource: ClusterResource, namespace: "default", name: "orchid" };
    const tree = condensed(await readTree(source, createDiscovery(client), what), { grouping: true, echo: false });
    const described = renderTree(tree, { now: system.clock.now(), colour: false, showConditions: [] });
    expect(described).toMatch(
      /LinodeMachine\/orchid-control-plane-0 +Ready: Unknown +LinodeUnavailable .*could not list instances/,
    );
    faults.clear();
    expect(await lastedMs(() => !isUnknown())).toBeLessThan(pollMs + 30_000);
  });

  it("takes away the kubeconfig of a cluster that is gone", async () => {
    const [orchid] = await system.running.workloadKubeconfigs();
    expect(orchid).toMatchObject({ namespace: "default", name: "orchid" });
    expect(existsSync(orchid?.path ?? "")).toBe(true);
    await system.running.client.delete(ClusterResource, { namespace: "default", name: "orchid" });
    await system.until(() => !existsSync(orchid?.path ?? ""));
  });
});
