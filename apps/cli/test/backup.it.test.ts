import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { silentLogger } from "@capstan/contract";
import { MachineResource, SecretResource } from "@capstan/contract/wire";
import { createSimulation } from "@capstan/sim-linode";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackupOptions, RestoreCommandOptions } from "../src/backup/backup-commands.ts";
import { decodeBackup, type Backup } from "../src/backup/backup-file.ts";
import { backUp, restoreBackup } from "../src/backup/run-backup.ts";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../src/embedded-up.ts";
import { sharedNamespace, withSharedCredentials } from "./shared-credentials.ts";
import { startTestApiserver } from "./test-apiserver.ts";
import { untilQuiet } from "./until-quiet.ts";

const ApiService = resource({
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  plural: "apiservices",
  namespaced: false,
});

const example = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");
const folder = mkdtempSync(join(tmpdir(), "capstan-backup-"));
/** Its credentials are in another namespace. */
const manifest = join(folder, "manifest.yaml");
writeFileSync(manifest, withSharedCredentials(readFileSync(example, "utf8")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = recentClock();
const random = seededRandom(7);

interface Run {
  readonly system: RunningSystem;
  /** Everything but reads that reached the cloud. */
  readonly cloudWrites: readonly string[];
  stop(): Promise<void>;
}

const run = async (dataDir: string, files: readonly string[]): Promise<Run> => {
  const data = openDataFolder(dataDir, { temporary: false });
  const cloudWrites: string[] = [];
  const started = startSystem(
    { ...simulatedLinode(files), inMemory: false, dataDir },
    {
      clock,
      random,
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      simulations: {
        linode: async (outside) => {
          const simulation = await createSimulation(outside);
          simulation.simulator.requests.subscribe(({ method, path }) => {
            if (method !== "GET") cloudWrites.push(`${method} ${path}`);
          });
          return simulation;
        },
      },
    },
  );
  let isOver = false;
  void started.catch(() => undefined).finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 50 });
  const system = await started;
  return { system, cloudWrites, stop: () => system.stop() };
};

const untilRunning = ({ system }: Run): Promise<void> =>
  clock.advanceUntil(() => system.progress.verdict().running, { stepMs: 100, maxMs: 600_000 });

const pass = async (ms: number): Promise<void> => {
  const end = clock.now() + ms;
  await clock.advanceUntil(() => clock.now() >= end, { stepMs: 500, maxMs: ms + 1000 });
};

const signal = new AbortController().signal;
const said: string[] = [];
const environment = { clock, random, log: silentLogger, signal, write: (line: string) => void said.push(line) };

const backedUp = async (name: string, from: Partial<BackupOptions>): Promise<string> => {
  const output = join(folder, name);
  await backUp({ output, dataDir: "", kubeconfig: undefined, logLevel: "silent", ...from }, environment);
  return output;
};

const restored = async (file: string, to: Partial<RestoreCommandOptions>): Promise<readonly string[]> => {
  said.length = 0;
  const defaults = { dataDir: "", kubeconfig: undefined, merge: false, force: false, newUids: false } as const;
  await restoreBackup({ file, logLevel: "silent", ...defaults, ...to }, environment);
  return [...said];
};

/** The command as a process in the folder. */
const spawnCommand = (line: string) =>
  spawn(
    process.execPath,
    ["--conditions=@capstan/source", join(import.meta.dirname, "../src/main.ts"), ...line.split(" ")],
    { cwd: folder, stdio: ["pipe", "pipe", "pipe"] },
  );

const read = (file: string): Backup => decodeBackup(readFileSync(file), file);

/** Everything but the resourceVersion, which only grows, and the epoch. */
const content = (backup: Backup): ReadonlyMap<string, KubeObject> =>
  new Map(
    backup.entries.map(({ plural, object }) => {
      const { resourceVersion: _, ...metadata } = object.metadata;
      const key = [object.apiVersion, plural, metadata.namespace, metadata.name].join(" ");
      if (plural === "namespaces" && metadata.name === "kube-system") Reflect.deleteProperty(metadata, "annotations");
      return [key, { ...object, metadata }];
    }),
  );

/** The cloud account continues as it is; only the management API is lost. */
const sameCloud = (dataDir: string): string => {
  const target = join(folder, dataDir);
  cpSync(join(folder, "first", "linode"), join(target, "linode"), { recursive: true });
  cpSync(join(folder, "first", "ports.json"), join(target, "ports.json"));
  return target;
};

let online: string;
let offline: string;
let uids: readonly (string | undefined)[];

describe("a backup", () => {
  beforeAll(async () => {
    const first = await run(join(folder, "first"), [manifest]);
    await untilRunning(first);
    await untilQuiet(clock, first.system.client);
    online = await backedUp("online.backup", { kubeconfig: first.system.kubeconfig });
    const { items } = await first.system.client.list(MachineResource);
    uids = items.map(({ metadata }) => metadata.uid);
    await first.stop();
    offline = await backedUp("offline.backup", { dataDir: join(folder, "first") });
  });

  it("is the same of a running server and of its folder, which has the server's keys too", async () => {
    expect(content(read(online))).toEqual(content(read(offline)));
    expect(read(online).identity).toBeUndefined();
    expect(JSON.parse(read(offline).identity ?? "")).toHaveProperty("authority");
    expect(uids.length).toBeGreaterThan(2);
  });

  it("goes through pipes, with what is said of it beside", async () => {
    const piped = spawnCommand("backup -o - --data-dir first");
    const [file, about] = await Promise.all([buffer(piped.stdout), text(piped.stderr)]);
    expect(content(decodeBackup(file, "the pipe"))).toEqual(content(read(offline)));
    expect(about).toMatch(/^\d+ objects at resourceVersion \d+ are in the output\nIt contains Secrets/);
    const restoring = spawnCommand("restore -f - --data-dir piped");
    restoring.stdin.end(file);
    expect(await text(restoring.stdout)).toMatch(/^restored \d+ objects with their original uids/);
    expect(existsSync(join(folder, "piped", "management.sqlite"))).toBe(true);
  });

  it("makes an empty folder what the other was: what is at the cloud is marked once, nothing is made, every Machine runs", async () => {
    const dataDir = sameCloud("second");
    expect(await restored(offline, { dataDir })).toEqual([
      expect.stringMatching(/^restored \d+ objects with their original uids/),
    ]);
    expect(content(read(await backedUp("again.backup", { dataDir })))).toEqual(content(read(offline)));
    expect(Number(read(join(folder, "again.backup")).resourceVersion)).toBeGreaterThan(
      Number(read(offline).resourceVersion),
    );
    const second = await run(dataDir, []);
    await untilRunning(second);
    await pass(120_000);
    const marked = second.cloudWrites.filter((write) => /^PUT (linode\/instances|nodebalancers)\/\d+$/.test(write));
    expect(second.cloudWrites).toEqual(marked);
    expect(new Set(marked).size).toBe(marked.length);
    expect(marked.length).toBeGreaterThan(uids.length);
    expect(second.system.progress.verdict().running).toBe(true);
    const credentials = { namespace: sharedNamespace, name: "orchid-credentials" };
    expect((await second.system.client.get(SecretResource, credentials)).metadata.name).toBe(credentials.name);
    const { items } = await second.system.client.list(MachineResource);
    expect(items.map(({ metadata }) => metadata.uid)).toEqual(uids);
    await second.stop();
  });

  it("restored with new uids leads the controllers to the servers that are there", async () => {
    const dataDir = sameCloud("third");
    const server = await startTestApiserver(["--secure-port", "0", "--data-dir", dataDir], { clock, random });
    const kubeconfig = join(dataDir, "kubeconfig");
    const lines = await restored(online, { kubeconfig, newUids: true });
    expect(lines[0]).toMatch(/^restored \d+ objects with new uids/);
    expect(lines.join("\n")).toMatch(/warning: every object has a new uid/);
    expect(lines.join("\n")).not.toMatch(/no longer owned/);
    await expect(restored(online, { kubeconfig, newUids: true })).rejects.toThrow(/the target already has \d+ objects/);
    const ours = read(await backedUp("third.backup", { kubeconfig }));
    for (const { object } of ours.entries) {
      expect(object.metadata.annotations ?? {}).not.toHaveProperty(["capstan.dev/restore-pending"]);
      expect(object.metadata.annotations ?? {}).not.toHaveProperty(["capstan.dev/restore-paused"]);
    }
    await server.stop();
    const third = await run(dataDir, []);
    await untilRunning(third);
    await pass(120_000);
    expect(third.cloudWrites.filter((write) => write.startsWith("POST"))).toEqual([]);
    expect(third.system.progress.verdict().running).toBe(true);
    const { items } = await third.system.client.list(MachineResource);
    expect(items).toHaveLength(uids.length);
    for (const { metadata } of items) expect(uids).not.toContain(metadata.uid);
    await third.stop();
  });

  it("restored at a running server keeps uids and leaves no Cluster paused", async () => {
    const dataDir = join(folder, "fourth");
    const server = await startTestApiserver(["--secure-port", "0", "--data-dir", dataDir], { clock, random });
    const kubeconfig = join(dataDir, "kubeconfig");
    const [line] = await restored(online, { kubeconfig });
    expect(line).toMatch(/with their original uids; \d+ kept/);
    await expect(restored(online, { kubeconfig })).rejects.toThrow(
      /nothing was changed.*\n .*customresourcedefinitions/,
    );
    expect((await restored(online, { kubeconfig, merge: true }))[0]).toMatch(/^restored 0 objects/);
    const before = content(read(online));
    for (const [key, object] of content(read(await backedUp("fourth.backup", { kubeconfig })))) {
      // The server writes its own authority into every namespace.
      if (object.metadata.name === "kube-root-ca.crt") continue;
      if (key.includes("clusters")) expect(object["spec"]).toEqual(before.get(key)?.["spec"]);
      else if (before.get(key)?.metadata.uid === object.metadata.uid) expect(object).toEqual(before.get(key));
    }
    await server.stop();
  });

  it("leaves out what another server keeps, although that does not answer", async () => {
    const dataDir = join(folder, "sixth");
    const server = await startTestApiserver(["--secure-port", "0", "--data-dir", dataDir], { clock, random });
    const kubeconfig = join(dataDir, "kubeconfig");
    const connection = connect({ access: await loadKubeconfig({ file: kubeconfig }), clock });
    const [group, version] = ["metrics.example.test", "v1"];
    const service = { namespace: "default", name: "nobody" };
    await createClient(connection).create(ApiService, {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `${version}.${group}` },
      spec: { group, version, service, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true },
    });
    await connection.close();
    said.length = 0;
    const { entries } = read(await backedUp("sixth.backup", { kubeconfig }));
    expect(said).toContain(`Objects of ${group}/${version} are not included: other servers store them.`);
    expect(entries.map(({ object }) => object.metadata.name)).toContain(`${version}.${group}`);
    await server.stop();
  });

  it("does not go over what is there unless told to", async () => {
    const dataDir = join(folder, "fifth");
    await restored(offline, { dataDir });
    await expect(restored(offline, { dataDir })).rejects.toThrow(/already contains management API state/);
    const lines = await restored(offline, { dataDir, force: true });
    const aside = /the previous state is in (.*)/.exec(lines.join("\n"))?.[1] ?? "";
    expect(existsSync(join(aside, "management.sqlite"))).toBe(true);
    const server = await startTestApiserver(["--secure-port", "0", "--data-dir", dataDir], { clock, random });
    await expect(restored(offline, { dataDir, force: true })).rejects.toThrow(/in use by another server/);
    // The kubeconfig of before the loss is good for the restored server.
    const old = readFileSync(join(folder, "first", "kubeconfig"), "utf8");
    expect(old).toContain(Buffer.from(server.caCertificate).toString("base64"));
    await server.stop();
    await expect(restored(offline, { dataDir, merge: true })).rejects.toThrow(/--merge applies to a running server/);
    await expect(restored(join(folder, "none"), { dataDir })).rejects.toThrow(/-f .*none: no such file;/);
    await expect(backedUp("x", { dataDir: join(folder, "none") })).rejects.toThrow(/contains no management API state/);
  });
});
