import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClusterResource, MachineResource, SecretResource, valueAt } from "@capstan/contract/wire";
import { TinkerbellMachine } from "@capstan/infra-metal/api";
import { createSimulation } from "@capstan/sim-metal";
import { connect, loadKubeconfig } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { systemClock } from "@capstan/runtime";
import { BmcJob, Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { describe, expect, it } from "vitest";
import { showTree } from "../src/describe/run-describe.ts";
import { switchedOn } from "./metal-rack.ts";
import { startTestSystemOn } from "./test-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/metal/tinkerbell.yaml"), "utf8");

const namespace = "default";

/** The control plane alone, with a password that its board management does not take. */
const locked = example
  .split(/^---\n/m)
  .filter((part) => !part.includes("forge-workers"))
  .join("---\n")
  .replace("${METAL_BMC_PASSWORD}", "wrong");

describe("the example of Tinkerbell", () => {
  it("installs a control plane and two workers over the network, and lets the machines go switched off", async () => {
    await using system = await startTestSystemOn({ metal: (outside) => createSimulation(outside) }, example);
    const { client } = system.running;
    await system.untilRunning();
    const { items: machines } = await client.list(MachineResource, { namespace });
    expect(machines.map((machine) => valueAt(machine, "status.nodeInfo.kubeletVersion"))).toEqual([
      "v1.35.4",
      "v1.35.4",
      "v1.35.4",
    ]);
    const owners = async () =>
      (await client.list(Hardware, { namespace })).items.map(
        ({ metadata }) => metadata.labels?.["v1alpha1.tinkerbell.org/ownerName"],
      );
    expect((await owners()).filter((owner) => owner !== undefined)).toHaveLength(3);
    // The keys of the cluster are removed when the Nodes are there.
    await system.until(async () =>
      (await client.list(Hardware, { namespace })).items.every(({ spec }) => spec?.userData === undefined),
    );
    // What is only read has no state, and what is done once is over: nothing is shown as pending forever.
    await system.until(() => system.running.progress.rows().every(({ done }) => done));
    const shown = new Set(system.running.progress.rows().map(({ group, kind }) => `${kind}.${group}`));
    expect([...shown].filter((kind) => kind.endsWith("tinkerbell.org")).toSorted()).toEqual([
      "Job.bmc.tinkerbell.org",
      "Machine.bmc.tinkerbell.org",
      "Task.bmc.tinkerbell.org",
      "Workflow.tinkerbell.org",
    ]);
    const connection = connect({
      access: await loadKubeconfig({ file: system.running.kubeconfig }),
      clock: systemClock,
    });
    const described = async (kind: string, name: string): Promise<string> => {
      const written: string[] = [];
      const options = { kind, name, namespace, kubeconfig: undefined, context: undefined, dataDir: undefined };
      const shownAs = { watch: false, output: "text", showConditions: [], grouping: true, echo: false } as const;
      const screen = { write: (part: string) => void written.push(part), colour: false };
      await showTree(connection, { ...options, ...shownAs }, { screen, signal: AbortSignal.timeout(60_000) });
      return written.join("");
    };
    const [job] = (await client.list(BmcJob, { namespace })).items;
    expect(await described("job", job?.metadata.name ?? "")).toContain("Completed: True");
    expect(await described("machine", "metal-1")).toMatch(/\nMachine\/metal-1 +Contactable: True/);
    await expect(described("job", "away")).rejects.toThrow(
      "there is no Job away in namespace default; choose another with --namespace (of job the server has jobs.batch or jobs.bmc.tinkerbell.org)",
    );
    await connection.close();
    // Until board management has been looked at once more: the machines are on by now.
    await system.pass(180_000);
    await system.quiet();
    // Every list tells the version of the whole store.
    const version = async () => (await client.list(Hardware, { namespace })).resourceVersion;
    const before = await version();
    await system.pass(200_000);
    expect(await version(), "nothing is written").toBe(before);

    const ids = machines.map((machine) => valueAt(machine, "spec.providerID"));
    expect(ids.every((id) => typeof id === "string" && id.startsWith(`tinkerbell://${namespace}/metal-`))).toBe(true);
    expect(new Set(ids).size).toBe(3);

    await client.delete(ClusterResource, { namespace, name: "forge" });
    await system.until(async () => (await client.find(ClusterResource, { namespace, name: "forge" })) === undefined);
    expect(await owners()).toEqual(Array.from({ length: 5 }, () => undefined));
    for (const kind of [MachineResource, Template, Workflow, BmcJob]) {
      expect((await client.list(kind, { namespace })).items, kind.kind).toEqual([]);
    }
    expect(switchedOn(system.simulator)).toEqual([]);
  });

  it("says what board management refuses, and goes on when that is mended", async () => {
    await using system = await startTestSystemOn({ metal: (outside) => createSimulation(outside) }, locked);
    const machines = async () => (await system.running.client.list(TinkerbellMachine, { namespace })).items;
    await system.until(async () => (await machines()).length > 0);
    const [machine] = await machines();
    const { message } = await system.condition(TinkerbellMachine, machine?.metadata.name ?? "", {
      type: "Ready",
      reason: "BoardManagementUnreachable",
    });
    expect(message).toContain("Machine default/metal-1, spec.connection: the credentials were refused");
    const password = system.simulation.variables["METAL_BMC_PASSWORD"] ?? "";
    await system.running.client.patch(
      SecretResource,
      { namespace, name: "forge-bmc" },
      { type: "merge", body: { data: { password: toBase64(password) } } },
    );
    await system.untilRunning();
    expect(switchedOn(system.simulator)).toEqual(["metal-1"]);
  });
});
