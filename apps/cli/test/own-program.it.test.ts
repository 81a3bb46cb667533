import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { MachineResource, valueAt } from "@capstan/contract/wire";
import { createGuestHost } from "@capstan/guest";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { applyManifests } from "../src/up/apply.ts";
import { createProvider } from "../templates/infra-acme/src/index.ts";
import { createSimulation } from "../templates/infra-acme/src/sim.ts";
import { install, runEmbedded } from "./guide/own-program.ts";

const example = readFileSync(join(import.meta.dirname, "../templates/infra-acme/example/cluster.yaml"), "utf8");
const ClusterRole = resource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});

it("runs a cluster in one process, and installs what a manager in a cluster needs", async () => {
  const clock = recentClock();
  const random = seededRandom(5);
  const end = new AbortController();
  const outside = { clock, random, log: silentLogger, signal: end.signal };
  const guest = createGuestHost({ clock, random, lenient: true });
  const given: SimulationOutsideV1 = {
    ...outside,
    folder: () => undefined,
    port: async () => 0,
    guest: () => guest,
    seed: () => undefined,
  };
  const simulation = await createSimulation(given);
  await simulation.start();
  const yours = createProvider({
    ...outside,
    variable: () => undefined,
    simulated: () => simulation.cloud,
  });

  let kubeconfig = "";
  const ended = runEmbedded(yours, outside, (text) => void (kubeconfig = text));
  ended.catch(() => undefined);
  await clock.advanceUntil(() => kubeconfig !== "");
  const connection = connect({ access: await loadKubeconfig({ text: kubeconfig }), clock });
  const client = createClient(connection);
  const manifests = parseManifest(example, "cluster.yaml", (name) => simulation.variables[name]);
  const applied = applyManifests(manifests, { client, ...outside, namespace: "default", onApplied: () => undefined });
  const phases = async (): Promise<readonly unknown[]> =>
    (await client.list(MachineResource, {})).items.map((machine) => valueAt(machine, "status.phase"));
  await clock.advanceUntil(async () => (await phases()).join() === "Running,Running,Running");
  await applied;

  let installed = false;
  const installing = install(yours, kubeconfig, outside).then(() => (installed = true));
  await clock.advanceUntil(() => installed);
  await installing;
  const role = await client.get(ClusterRole, { name: "capstan-infra-acme" });
  expect(JSON.stringify(role["rules"])).toContain("acmemachines");

  let over = false;
  end.abort();
  void ended.then(() => (over = true));
  await clock.advanceUntil(() => over);
  await connection.close();
  await guest.stop();
  await simulation.stop();
});
