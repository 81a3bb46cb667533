import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { ClusterResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { afterAll, describe, expect, it } from "vitest";
import { decodeBackup, encodeBackup, type Backup, type BackupEntry } from "../src/backup/backup-file.ts";
import { openKubeconfig } from "../src/backup/open-api.ts";
import { restore } from "../src/backup/restore.ts";
import { restoreDataFolder } from "../src/backup/restore-data-folder.ts";
import { takeBackup } from "../src/backup/take-backup.ts";
import { startTestApiserver } from "./test-apiserver.ts";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "capstan-backup-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const environment = {
  clock: systemClock,
  random: cryptoRandom,
  log: silentLogger,
  signal: new AbortController().signal,
};

const definition = (group: string, plural: string, kind: string): BackupEntry => ({
  plural: "customresourcedefinitions",
  namespaced: false,
  object: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      uid: `crd-${plural}`,
      // Other groups of this domain need no approval.
      ...(group.endsWith("k8s.io") ? { annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } } : {}),
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: group === ClusterResource.group ? ClusterResource.version : "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
    status: {
      conditions: ["NamesAccepted", "Established"].map((type) => ({
        type,
        status: "True",
        reason: "R",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      })),
      acceptedNames: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      storedVersions: [group === ClusterResource.group ? ClusterResource.version : "v1"],
    },
  },
});

const widget = (name: string, more: Partial<KubeObject["metadata"]> = {}): BackupEntry => ({
  plural: "widgets",
  namespaced: true,
  object: {
    apiVersion: "crash.test/v1",
    kind: "Widget",
    metadata: { name, namespace: "prod", uid: `uid-${name}`, finalizers: ["crash.test/held"], ...more },
    spec: { size: 1 },
    status: { made: name },
  },
});

const backup: Backup = {
  created: "2026-01-01T00:00:00Z",
  resourceVersion: "5000",
  server: "v1.34.0",
  entries: [
    {
      plural: "namespaces",
      namespaced: false,
      object: { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod", uid: "ns" } },
    },
    widget("child", {
      ownerReferences: [{ apiVersion: "crash.test/v1", kind: "Widget", name: "parent", uid: "uid-parent" }],
    }),
    widget("parent", {
      ownerReferences: [{ apiVersion: apiVersionOf(ClusterResource), kind: "Cluster", name: "prod", uid: "uid-prod" }],
    }),
    {
      plural: "clusters",
      namespaced: true,
      object: {
        apiVersion: apiVersionOf(ClusterResource),
        kind: "Cluster",
        metadata: { name: "prod", namespace: "prod", uid: "uid-prod" },
        spec: { a: 1 },
        status: { phase: "Provisioned" },
      },
    },
    definition("crash.test", "widgets", "Widget"),
    definition(ClusterResource.group, "clusters", "Cluster"),
  ],
};

/** Ends the process, so to speak, after the server has carried out so many requests. */
const crashingAfter = (client: Client, requests: number): Client => {
  let left = requests;
  const only: Pick<Client, "request"> = {
    request: async (request) => {
      const answer = await client.request(request);
      if (left-- === 0) throw new Error("crash");
      return answer as never;
    },
  };
  return only as Client;
};

/** What a restore is to bring about, with owners by name: uids may differ. */
const outcome = async (client: Client): Promise<unknown> => {
  const { entries } = await takeBackup(client, environment);
  const names = new Map(entries.map(({ object }) => [object.metadata.uid, object.metadata.name]));
  return entries
    .filter(({ plural }) => plural === "widgets" || plural === "clusters")
    .map(({ object: { kind, metadata, spec, status } }) => ({
      kind,
      name: metadata.name,
      annotations: metadata.annotations ?? {},
      finalizers: metadata.finalizers,
      owners: metadata.ownerReferences?.map(({ uid }) => names.get(uid)),
      spec,
      status,
    }));
};

describe("an interrupted restore", () => {
  it.each([true, false])("can be run again at a server, whatever was done last (uids kept: %s)", async (keepUids) => {
    let wanted: unknown;
    for (let requests = 0, crashed = true; crashed; requests++) {
      const kubeconfig = join(folder, `${keepUids}.kubeconfig`);
      const server = await startTestApiserver(["--in-memory", "--secure-port", "0", "--write-kubeconfig", kubeconfig]);
      const api = await openKubeconfig(kubeconfig, environment);
      const options = { ...environment, live: true, keepUids } as const;
      if (wanted === undefined) {
        await restore(api.client, backup, { ...options, existing: "refuse" });
        wanted = await outcome(api.client);
        expect(wanted).toMatchObject([
          { name: "prod", annotations: {}, spec: { a: 1 }, status: { phase: "Provisioned" } },
          { name: "child", owners: ["parent"], finalizers: ["crash.test/held"], status: { made: "child" } },
          { name: "parent", owners: ["prod"], status: { made: "parent" } },
        ]);
      } else {
        const interrupted = restore(crashingAfter(api.client, requests), backup, { ...options, existing: "refuse" });
        crashed = await interrupted.then(
          () => false,
          (error: Error) => error.message === "crash",
        );
        await restore(api.client, backup, { ...options, existing: "keep" });
        expect(await outcome(api.client), `after ${requests} requests`).toEqual(wanted);
      }
      await api.close();
      await server.stop();
    }
  });

  it("leaves nothing in a data folder and can be run again", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      plural: "configmaps",
      namespaced: true,
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `c-${index}`, namespace: "prod", uid: `c-${index}` },
        data: { text: "x".repeat(500) },
      },
    }));
    const large = { ...backup, entries: [...backup.entries, ...many] };
    const file = join(folder, "large.backup");
    writeFileSync(file, encodeBackup(large));
    const dataDir = join(folder, "data");
    const isRestored = (): boolean => existsSync(join(dataDir, "management.sqlite"));
    let code: number | null;
    // One that was faster than the kill is not an interrupted one: it is begun again.
    do {
      rmSync(dataDir, { recursive: true, force: true });
      mkdirSync(dataDir);
      code = await killedWhen(dataDir, ".restoring", ["restore", "-f", file, "--data-dir", dataDir]);
    } while (isRestored());
    expect(code).toBeNull();
    const { created, replaced } = await restoreDataFolder(dataDir, large, { ...environment, force: false });
    expect(created + replaced).toBe(large.entries.length);
    expect(readdirSync(dataDir).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      "management.sqlite",
      "management.sqlite.identity.json",
    ]);

    const output = mkdtempSync(join(folder, "output-"));
    const args = ["backup", "--data-dir", dataDir, "-o", join(output, "b")];
    // Between writing and renaming there is little time: it may have been faster than the kill.
    await killedWhen(output, ".b.part", args);
    if (existsSync(join(output, "b"))) decodeBackup(readFileSync(join(output, "b")), "b");
    await run(args);
    expect(readdirSync(output)).toEqual(["b"]);
    expect(statSync(join(output, "b")).mode & 0o777).toBe(0o600);
    expect(decodeBackup(readFileSync(join(output, "b")), "b").entries.length).toBeGreaterThan(large.entries.length);
  });
});

const run = (args: readonly string[]) =>
  new Promise<{ readonly code: number | null }>((resolve) => {
    const child = start(args);
    child.once("close", (code) => resolve({ code }));
  });

const start = (args: readonly string[]) =>
  spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...args], {
    cwd: repository,
    stdio: ["ignore", "ignore", "inherit"],
  });

/** Runs the command and ends it with SIGKILL as soon as a file or folder of that name appears; null when that came in time. */
const killedWhen = async (place: string, name: string, args: readonly string[]): Promise<number | null> => {
  const child = start(args);
  const watcher = watch(place, (_, changed) => {
    if (changed === name) child.kill("SIGKILL");
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  watcher.close();
  return code;
};
