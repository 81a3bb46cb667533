import { spawn } from "node:child_process";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import {
  ClusterResource,
  MachineDeploymentResource,
  MachineResource,
  MachineSetResource,
} from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { writeFileSync } from "node:fs";
import { expect } from "vitest";

const repository = join(import.meta.dirname, "../../..");

interface ObjectEvent {
  readonly type: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
}

export interface UpEnd {
  readonly status: number | null;
  readonly events: readonly ObjectEvent[];
  /** What was written to standard error. */
  readonly errors: string;
}

/** `capstan up` on a folder; `fileLimit`: how large a file may get, in 512 bytes. */
export const up = (
  folder: string,
  { fileLimit, until }: { readonly fileLimit?: number; readonly until?: string } = {},
) =>
  new Promise<UpEnd>((resolve, reject) => {
    const limit = fileLimit === undefined ? "" : `ulimit -f ${fileLimit}; `;
    const command = `${limit}exec "$0" --conditions=@capstan/source apps/cli/src/main.ts "$@"`;
    const what = ["up", "--simulate", "linode", "-f", "examples/linode/large-bootstrap.yaml", "--data-dir", folder];
    const args = [...what, "-o", "json", ...(until === undefined ? [] : ["--until", until, "--timeout", "120s"])];
    const child = spawn("sh", ["-c", command, process.execPath, ...args], { cwd: repository });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (data: Buffer) => output.push(data));
    child.stderr.on("data", (data: Buffer) => errors.push(data));
    child.on("error", reject);
    child.on("close", (status) => {
      const lines = Buffer.concat(output).toString().trim().split("\n");
      const events = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ObjectEvent]));
      resolve({ status, events, errors: Buffer.concat(errors).toString() });
    });
  });

const kinds = [ClusterResource, MachineResource, MachineSetResource, MachineDeploymentResource];

/** Names of the objects that a data folder holds, as `Kind/name`. */
const objectsIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const file = join(folder, "management.sqlite");
  const server = createApiServer({ clock: systemClock, random: cryptoRandom, log: silentLogger, storage: { file } });
  await server.start();
  const kubeconfig = join(folder, "test.kubeconfig");
  writeFileSync(kubeconfig, await server.adminKubeconfig(), { mode: 0o600 });
  const connection = connect({ access: await loadKubeconfig({ file: kubeconfig }), clock: systemClock });
  try {
    const client = createClient(connection);
    const lists = kinds.map(async (kind) => {
      const { items } = await client.list(kind);
      return items.map(({ metadata }) => `${kind.kind}/${metadata.name ?? ""}`);
    });
    return new Set((await Promise.all(lists)).flat());
  } finally {
    await connection.close();
    await server.stop();
  }
};

/**
 * What holds when the disk fills up while `capstan up` works: it ends with one line, everything that it has shown is there, and with room
 * again the same command continues from there.
 */
export const expectEndOnFullDisk = async (
  folder: string,
  full: () => Promise<UpEnd>,
  makeRoom: () => void,
): Promise<void> => {
  const ended = await full();
  expect(ended.errors).toBe("");
  expect(ended.status).toBe(1);
  const failures = ended.events.filter(({ type }) => type === "error");
  expect(failures).toMatchObject([{ code: "apiserver.storage_failed" }]);
  expect(failures[0]?.message).toMatch(/^Changes cannot be kept: the data file \S+ cannot be written: [^\n]+$/);
  makeRoom();
  const shown = ended.events.filter(({ kind = "" }) => kinds.some((known) => known.kind === kind));
  expect(shown.length).toBeGreaterThan(0);
  const kept = await objectsIn(folder);
  for (const { kind, name } of shown) expect(kept).toContain(`${kind}/${name}`);
  expect((await up(folder, { until: "running" })).status).toBe(0);
};
