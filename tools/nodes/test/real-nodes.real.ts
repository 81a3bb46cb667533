import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLogger } from "@capstan/runtime";
import { cacheFolder, targets } from "@capstan/tool-kube-assets/assets";
import { createKubectl, type Kubectl } from "@capstan/tool-kube-assets/interop";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareAssets, releases, unavailable } from "../src/assets/prepare.ts";
import { createHostNetwork } from "../src/host/host-network.ts";
import { MachineHost } from "../src/host/machine-host.ts";
import { createNamespaces, type Namespaces } from "../src/host/namespaces.ts";
import { type Management, startManagement } from "../src/management.ts";
import {
  clusterManifests,
  controlPlaneOf,
  guardedPods,
  healthCheck,
  machineTemplate,
  workerLabels,
  workersOf,
} from "../src/manifests.ts";
import { createHostProvider } from "../src/provider/provider.ts";

const say = (line: string): void => console.error(`nodes: ${line}`);

const name = "orchid";
const [older, newer] = releases;
const minute = 60_000;

// oxlint-disable-next-line typescript/no-explicit-any -- objects of many shapes
type AnyObject = any;

const eventually = async <T>(check: () => Promise<T>, withinMs: number): Promise<T> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(500);
    }
  }
};

const conditionOf = (object: AnyObject, type: string): string | undefined =>
  object.status?.conditions?.find((each: AnyObject) => each.type === type)?.status;

const list = async (kubectl: Kubectl, kind: string): Promise<readonly AnyObject[]> =>
  (JSON.parse(await kubectl.run(["get", kind, "-o", "json"])) as { readonly items: readonly AnyObject[] }).items;

const running = (version: string) => ({ version, phase: "Running", healthy: "True", kubelet: version });

const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  const start = performance.now();
  await work();
  say(`${what}: ${Math.round((performance.now() - start) / 1000)} s`);
};

const why = unavailable();

describe.skipIf(why !== undefined)("real nodes", () => {
  let host: MachineHost;
  let namespaces: Namespaces;
  let management: Management;
  let admin: Kubectl;
  let workload: Kubectl;
  const folder = mkdtempSync(join(tmpdir(), "capstan-real-nodes-"));
  const cleanups: (() => Promise<unknown> | void)[] = [() => rmSync(folder, { recursive: true })];

  beforeAll(async () => {
    const assets = await prepareAssets(say);
    const network = await createHostNetwork();
    cleanups.push(() => network.remove());
    namespaces = createNamespaces(network, assets);
    host = new MachineHost({ launcher: namespaces, network: network.prefix, images: Object.keys(assets.images) });
    cleanups.push(() => host.stop());
    management = await startManagement(createHostProvider(host), createLogger({ level: "warn", format: "text" }));
    cleanups.push(() => management.stop());
    admin = createKubectl(cacheFolder(targets.nodes), management.kubeconfig, folder);
  }, 30 * minute);

  afterAll(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }, 5 * minute);

  const summary = async (): Promise<readonly (Partial<ReturnType<typeof running>> & { readonly version: string })[]> =>
    (await list(admin, "machines.cluster.x-k8s.io"))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((machine) => ({
        version: machine.spec.version,
        phase: machine.status?.phase,
        healthy: conditionOf(machine, "NodeHealthy") ?? "",
        kubelet: machine.status?.nodeInfo?.kubeletVersion,
      }));

  /** For messages of failing tests: what the machines say of themselves. */
  const consoles = async (): Promise<string> => {
    const said = [...host.machines.values()].map(async ({ id, name: machine, state, message }) => {
      const log = await namespaces
        .execute(id, ["journalctl", "--no-pager", "--lines=30", "--unit=cloud-final"])
        .catch(String);
      return `${machine} ${state} ${message ?? ""}\n${log}`;
    });
    return (await Promise.all(said)).join("\n");
  };

  const untilMachines = (versions: readonly string[], withinMs: number) =>
    eventually(async () => {
      // Names are random, and with them the order.
      const byVersion = (a: { readonly version: string }, b: { readonly version: string }): number =>
        a.version.localeCompare(b.version);
      const seen = (await summary()).toSorted(byVersion);
      const expected = versions.map(running).toSorted(byVersion);
      if (JSON.stringify(seen) !== JSON.stringify(expected)) expect(seen, await consoles()).toEqual(expected);
    }, withinMs);

  it(
    "brings up a control plane and two workers",
    async () => {
      await timed("cluster of three nodes", async () => {
        await admin.apply(clusterManifests(name, older, { workers: 2 }));
        await untilMachines([older, older, older], 8 * minute);
      });
      const kubeconfig = await admin.run(["get", "secret", `${name}-kubeconfig`, "-o", "jsonpath={.data.value}"]);
      const home = mkdtempSync(join(folder, "workload-"));
      workload = createKubectl(cacheFolder(targets.nodes), Buffer.from(kubeconfig, "base64").toString(), home);
      const nodes = await list(workload, "nodes");
      expect(nodes.map((node) => conditionOf(node, "Ready"))).toEqual(["True", "True", "True"]);
      // The four of the control plane, two CoreDNS, and kube-proxy on each.
      await eventually(async () => {
        const pods = JSON.parse(await workload.run(["get", "pods", "-n", "kube-system", "-o", "json"])).items;
        expect(pods.map((pod: AnyObject) => conditionOf(pod, "Ready"))).toEqual(
          Array.from({ length: 9 }, () => "True"),
        );
      }, 2 * minute);
      const providerIDs = (await list(admin, "machines.cluster.x-k8s.io")).map(({ spec }) => spec.providerID);
      expect(new Set(nodes.map(({ spec }) => spec.providerID))).toEqual(new Set(providerIDs));
    },
    10 * minute,
  );

  const workers = async (): Promise<readonly AnyObject[]> =>
    (await list(admin, "machines.cluster.x-k8s.io")).filter(
      ({ metadata }) => metadata.labels["cluster.x-k8s.io/deployment-name"] === name,
    );

  it(
    "drains a Pod as its PodDisruptionBudget permits",
    async () => {
      const images: readonly string[] = (await list(workload, "nodes")).flatMap(({ status }) =>
        status.images.flatMap((image: AnyObject) => image.names),
      );
      await workload.apply(guardedPods(images.find((image) => image.includes("/pause:")) ?? "", 1));
      const pod = await eventually(async () => {
        const [found] = await list(workload, "pods");
        expect(conditionOf(found, "Ready")).toBe("True");
        return found;
      }, 2 * minute);
      const machine = (await workers()).find(({ status }) => status.nodeRef.name === pod.spec.nodeName);
      const machineName: string = machine.metadata.name;
      await timed("drain that waits for a budget, and a new worker", async () => {
        await admin.run(["delete", "machines.cluster.x-k8s.io", machineName, "--wait=false"]);
        await eventually(async () => {
          const held = (await workers()).find(({ metadata }) => metadata.name === machineName);
          const deleting = held.status.conditions.find(({ type }: AnyObject) => type === "Deleting");
          expect(deleting).toMatchObject({ status: "True", reason: "DrainingNode" });
          expect(deleting.message).toContain("disruption budget");
        }, 2 * minute);
        // The budget permits nothing: it is the Pod of before.
        const [held] = await list(workload, "pods");
        expect(held.metadata.uid).toBe(pod.metadata.uid);
        expect(held.metadata.deletionTimestamp).toBeUndefined();
        await workload.run(["scale", "deployment", "guarded", "--replicas=2"]);
        await eventually(async () => {
          expect((await workers()).map(({ metadata }) => metadata.name)).not.toContain(machineName);
        }, 4 * minute);
        await untilMachines([older, older, older], 4 * minute);
      });
      await eventually(async () => {
        const pods = await list(workload, "pods");
        expect(pods.map((each) => conditionOf(each, "Ready"))).toEqual(["True", "True"]);
        expect(pods.map(({ metadata }) => metadata.uid)).not.toContain(pod.metadata.uid);
      }, 2 * minute);
      expect([...host.machines.values()].map((each) => each.name)).not.toContain(machineName);
    },
    12 * minute,
  );

  it(
    "replaces a machine that was killed",
    async () => {
      const [worker] = await workers();
      const machineName: string = worker.metadata.name;
      await admin.apply([healthCheck(name, 20, workerLabels(name))]);
      await eventually(async () => {
        const [check] = await list(admin, "machinehealthchecks.cluster.x-k8s.io");
        expect(check.status).toMatchObject({ currentHealthy: 2, expectedMachines: 2 });
      }, minute);
      const killed = [...host.machines.values()].find((each) => each.name === machineName);
      await timed("replacement of a killed machine", async () => {
        namespaces.kill(killed?.id ?? "");
        await eventually(async () => {
          expect((await workers()).map(({ metadata }) => metadata.name)).not.toContain(machineName);
        }, 6 * minute);
        await untilMachines([older, older, older], 4 * minute);
      });
      expect([...host.machines.values()].map((each) => each.id)).not.toContain(killed?.id);
      const nodes = await list(workload, "nodes");
      expect(nodes.map(({ metadata }) => metadata.name)).not.toContain(machineName);
    },
    12 * minute,
  );

  it(
    "upgrades the control plane and then the workers",
    async () => {
      const change = (kind: string, spec: object) =>
        admin.run(["patch", kind, name, "--type", "merge", "-p", JSON.stringify({ spec })]);
      await timed("upgrade of the control plane", async () => {
        await admin.apply([machineTemplate(name, newer)]);
        await change("kubeadmcontrolplane", controlPlaneOf(name, newer));
        await untilMachines([newer, older, older], 10 * minute);
      });
      await timed("upgrade of the workers", async () => {
        await change("machinedeployment", workersOf(name, newer));
        await untilMachines([newer, newer, newer], 8 * minute);
      });
      // The last Machine of before may be on its way out, with its Node.
      await eventually(async () => {
        const nodes = await list(workload, "nodes");
        expect(nodes.map(({ status }) => status.nodeInfo.kubeletVersion)).toEqual([newer, newer, newer]);
        expect(nodes.map((node) => conditionOf(node, "Ready"))).toEqual(["True", "True", "True"]);
      }, 4 * minute);
    },
    20 * minute,
  );

  it(
    "removes everything with the Cluster",
    async () => {
      await timed("deletion of the cluster", async () => {
        await admin.run(["delete", "cluster", name, "--wait=false"]);
        await eventually(async () => {
          expect(await list(admin, "clusters.cluster.x-k8s.io")).toEqual([]);
          expect([...host.machines.keys(), ...host.endpoints.keys()]).toEqual([]);
        }, 4 * minute);
      });
    },
    5 * minute,
  );
});

describe.skipIf(why === undefined)("real nodes", () => {
  it("are brought up", ({ skip }) => skip(why));
});
