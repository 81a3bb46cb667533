import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { silentLogger } from "@capstan/contract";
import { createSimulation, type LinodeSimulator } from "@capstan/sim-linode";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openDataFolder,
  silentView,
  simulatedLinode,
  startSystem,
  waitUntilRunning,
  type RunningSystem,
} from "../src/embedded-up.ts";

const present = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!present) console.log("kubectl against a running system is skipped: kubectl is not installed");

const example = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");

describe.skipIf(!present)("kubectl against a running system", () => {
  const data = openDataFolder("", { temporary: true });
  let system: RunningSystem;
  let simulator: LinodeSimulator;

  const kubectl = async (kubeconfig: string, ...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)("kubectl", ["--kubeconfig", kubeconfig, ...args], {
      timeout: 150_000,
    });
    return stdout;
  };

  const header = (table: string): readonly string[] =>
    table
      .split("\n", 1)[0]
      ?.trim()
      .split(/\s{2,}/) ?? [];

  beforeAll(async () => {
    system = await startSystem(simulatedLinode([example]), {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        linode: async (outside) => {
          const simulation = await createSimulation(outside);
          simulator = simulation.simulator;
          return simulation;
        },
      },
    });
    await waitUntilRunning(system, { clock: systemClock, timeoutMs: 120_000, signal: new AbortController().signal });
  });

  afterAll(async () => {
    await system?.stop();
    data.close();
  });

  it("shows upstream's columns", async () => {
    expect(header(await kubectl(system.kubeconfig, "get", "machines"))).toEqual([
      "NAME",
      "CLUSTER",
      "NODE NAME",
      "FAILURE DOMAIN",
      "READY",
      "AVAILABLE",
      "UP-TO-DATE",
      "PHASE",
      "AGE",
      "VERSION",
    ]);
    expect(header(await kubectl(system.kubeconfig, "get", "linodemachines"))).toEqual([
      "NAME",
      "CLUSTER",
      "STATE",
      "READY",
      "PROVIDERID",
      "MACHINE",
    ]);
    const clusters = await kubectl(system.kubeconfig, "get", "linodeclusters", "-o", "wide");
    expect(clusters).toMatch(/^orchid +orchid +true +127\.\S+/m);
    expect(await kubectl(system.kubeconfig, "describe", "machine", "-l", "cluster.x-k8s.io/control-plane")).toContain(
      "Running",
    );
  });

  it("makes objects of the kinds that only other controllers work on, in their older versions too", async () => {
    const poolRef = { apiGroup: "ipam.cluster.x-k8s.io", kind: "Pool", name: "p" };
    const infrastructureRef = {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
      kind: "LinodeMachine",
      name: "p",
    };
    const machineSpec = {
      clusterName: "orchid",
      bootstrap: { dataSecretName: "d" },
      infrastructureRef,
      version: "1.33.4",
    };
    const objects = [
      ["ipam.cluster.x-k8s.io/v1alpha1", "IPAddressClaim", { poolRef }],
      [
        "ipam.cluster.x-k8s.io/v1beta2",
        "IPAddress",
        { poolRef, claimRef: { name: "p" }, address: "10.0.0.7", prefix: 24 },
      ],
      ["cluster.x-k8s.io/v1beta1", "MachinePool", { clusterName: "orchid", template: { spec: machineSpec } }],
    ] as const;
    for (const [apiVersion, kind, spec] of objects) {
      const file = join(data.path, `${kind}.json`);
      writeFileSync(file, JSON.stringify({ apiVersion, kind, metadata: { name: "p" }, spec }));
      await kubectl(system.kubeconfig, "create", "-f", file);
    }
    const row = async (kind: string): Promise<readonly string[]> =>
      (await kubectl(system.kubeconfig, "get", kind, "p", "--no-headers")).trim().split(/\s+/);
    expect(await row("ipaddressclaims")).toEqual(["p", "p", "Pool", expect.any(String)]);
    expect(await row("ipaddresses")).toEqual(["p", "10.0.0.7", "p", "Pool", expect.any(String)]);
    const [pool, cluster, desired, phase] = await row("mp");
    expect([pool, cluster, desired, phase]).toEqual(["p", "orchid", "1", "Provisioning"]);
    const patched = kubectl(system.kubeconfig, "patch", "ipaddress", "p", "--type=merge", '-p={"spec":{"prefix":25}}');
    await expect(patched).rejects.toThrow("field is immutable");
    await kubectl(system.kubeconfig, "delete", "mp,ipaddress,ipaddressclaim", "p");
  });

  it("sees one Node for each Machine in the workload cluster, under its providerID", async () => {
    const [{ path } = { path: "" }] = await system.workloadKubeconfigs();
    const output = ["-o", "jsonpath={range .items[*]}{.spec.providerID}{'\\n'}{end}"];
    const nodes = (await kubectl(path, "get", "nodes", ...output)).trim().split("\n");
    const machines = (await kubectl(system.kubeconfig, "get", "machines", ...output)).trim().split("\n");
    expect(nodes.toSorted()).toEqual(machines.toSorted());
    expect(nodes).toHaveLength(4);
  });

  it("deletes a cluster and everything it had in the cloud", async () => {
    await kubectl(system.kubeconfig, "delete", "cluster", "orchid", "--timeout=120s");
    expect(simulator.state.instances).toEqual([]);
    expect(simulator.state.nodeBalancers).toEqual([]);
    expect(Object.values(simulator.state.objects).flat()).toEqual([]);
    expect(await kubectl(system.kubeconfig, "get", "machines,linodemachines,linodeclusters,kubeadmconfigs")).toBe("");
    expect(simulator.requests.violations).toEqual([]);
  });
});
