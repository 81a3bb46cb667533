import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, silentLogger } from "@capstan/contract";
import { conditionOf, MachineResource } from "@capstan/contract/wire";
import { createSimulation } from "@capstan/sim-linode";
import { type KubeObject, resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { backUp, restoreBackup } from "../src/backup/run-backup.ts";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../src/embedded-up.ts";
import { untilQuiet } from "./until-quiet.ts";

const LinodeMachine = resource({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha2",
  kind: "LinodeMachine",
  plural: "linodemachines",
});
const Namespace = resource({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});

const folder = mkdtempSync(join(tmpdir(), "capstan-restored-copy-"));
const manifest = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");
const clock = recentClock();
const random = seededRandom(11);
type LinodeSimulation = Awaited<ReturnType<typeof createSimulation>>;
let cloud: LinodeSimulation | undefined;
const systems: RunningSystem[] = [];

afterAll(async () => {
  for (const system of systems.toReversed()) await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

const done = async <T>(work: Promise<T>): Promise<T> => {
  let isOver = false;
  void work.catch(() => undefined).finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 50 });
  return work;
};

const errorsInto = (errors: string[]): Logger => {
  const log: Logger = { ...silentLogger, error: (message) => void errors.push(message), child: () => log };
  return log;
};

/** The first starts the cloud; the others use it. */
const run = async (dataDir: string, files: readonly string[], log = silentLogger): Promise<RunningSystem> => {
  const data = openDataFolder(dataDir, { temporary: false });
  const options = { ...simulatedLinode(files), inMemory: false, dataDir };
  const system = await done(
    startSystem(options, {
      clock,
      random,
      log,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        linode: async (outside) => {
          if (cloud === undefined) return (cloud = await createSimulation(outside));
          const nothing = { value: async () => undefined };
          return Object.create(cloud, { start: nothing, stop: nothing }) as LinodeSimulation;
        },
      },
    }),
  );
  systems.push(system);
  return system;
};

const pass = async (ms: number): Promise<void> => {
  const end = clock.now() + ms;
  await clock.advanceUntil(() => clock.now() >= end, { stepMs: 500, maxMs: ms + 1000 });
};

const instances = (): readonly number[] => (cloud?.simulator.state.instances ?? []).map(({ id }) => id);

it("is left the cloud by the first installation, which says so, until somebody decides for that", async () => {
  const errors: string[] = [];
  const first = await run(join(folder, "first"), [manifest], errorsInto(errors));
  await clock.advanceUntil(() => first.progress.verdict().running, { stepMs: 100, maxMs: 600_000 });
  await untilQuiet(clock, first.client);
  const signal = new AbortController().signal;
  const environment = { clock, random, log: silentLogger, signal, write: () => undefined };
  const output = join(folder, "backup");
  await backUp({ output, dataDir: "", kubeconfig: first.kubeconfig, logLevel: "silent" }, environment);
  const options = { file: output, kubeconfig: undefined, merge: false, force: false, newUids: false } as const;
  await restoreBackup({ ...options, dataDir: join(folder, "copy"), logLevel: "silent" }, environment);

  const copy = await run(join(folder, "copy"), []);
  const before = instances();
  await pass(120_000);
  expect(errors).toEqual([expect.stringMatching(/a newer copy of this installation uses the same cloud/)]);
  const machines = (await first.client.list(LinodeMachine)).items;
  for (const machine of machines) {
    expect(conditionOf(machine, "InstallationCurrent", "v1beta2")).toMatchObject({
      status: "False",
      reason: "InstallationSuperseded",
    });
  }
  expect(instances()).toEqual(before);

  // Both want to replace a worker; the copy alone does.
  const isWorker = ({ metadata }: KubeObject): boolean =>
    metadata.labels?.["cluster.x-k8s.io/deployment-name"] !== undefined;
  const worker = (await copy.client.list(MachineResource)).items.find(isWorker);
  const key = { namespace: worker?.metadata.namespace ?? "", name: worker?.metadata.name ?? "" };
  for (const { client } of [first, copy]) await client.delete(MachineResource, key);
  await pass(240_000);
  const after = instances();
  expect(after).toHaveLength(before.length);
  expect(after).not.toEqual(before);
  const isMade = ({ spec }: KubeObject & { readonly spec?: { readonly providerID?: string } }): boolean =>
    spec?.providerID !== undefined;
  const ofFirst = (await first.client.list(LinodeMachine)).items;
  expect(ofFirst.filter(isMade)).toHaveLength(before.length - 1);
  expect(ofFirst).toHaveLength(before.length);
  expect((await copy.client.list(MachineResource)).items).toHaveLength(before.length);

  await copy.stop();
  systems.pop();
  const annotations = { "capstan.dev/installation-epoch": String(Math.floor(clock.now() / 1000) + 1) };
  const body = { metadata: { annotations } };
  await first.client.patch(Namespace, { namespace: "", name: "kube-system" }, { type: "merge", body });
  await pass(120_000);
  for (const machine of (await first.client.list(LinodeMachine)).items) {
    expect(conditionOf(machine, "InstallationCurrent", "v1beta2")?.status ?? "True").toBe("True");
  }
});
