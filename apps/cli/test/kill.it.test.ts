import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "capstan-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  /** `null` when it was killed. */
  readonly status: number | null;
  readonly lines: readonly string[];
}

/** Runs `capstan up` on the folder; `killAt` ends it with SIGKILL once it has printed that many lines. */
const up = (killAt: number): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const args = [
      "up",
      "--simulate",
      "linode",
      "-f",
      "examples/linode/large-bootstrap.yaml",
      "--data-dir",
      folder,
      "--until",
      "running",
      "--timeout",
      "120s",
      "-o",
      "json",
    ];
    const child = spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...args], {
      cwd: repository,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      if (lines.length === killAt) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, lines }));
  });

interface Account {
  readonly instances: readonly { readonly id: number; readonly label: string }[];
  readonly nodeBalancers: readonly { readonly id: number }[];
  readonly objects: Readonly<Record<string, readonly unknown[]>>;
}

const idsOf = (resources: readonly { readonly id: number }[]): readonly number[] => resources.map(({ id }) => id);

const account = (): Account => JSON.parse(readFileSync(join(folder, "linode", "account.json"), "utf8")) as Account;

describe("capstan up, killed again and again", () => {
  it("ends in the same state, with nothing doubled and nothing orphaned", async () => {
    // Each run gets further than the one before: server, manifests, network, control plane, workers.
    for (const killAt of [5, 24, 44]) {
      const { status } = await up(killAt);
      expect(status, `killed after ${killAt} lines`).toBeNull();
    }
    const last = await up(Number.POSITIVE_INFINITY);
    expect(last.status, last.lines.at(-1)).toBe(0);

    const { instances, nodeBalancers, objects } = account();
    expect(new Set(instances.map(({ label }) => label)).size).toBe(instances.length);
    expect(instances).toHaveLength(4);
    expect(nodeBalancers).toHaveLength(1);
    expect(Object.values(objects).flat()).toEqual([]);
    expect(readdirSync(join(folder, "linode", "guests", "disks")).toSorted()).toEqual(
      instances.map(({ id }) => `${id}.json`).toSorted(),
    );

    const again = await up(Number.POSITIVE_INFINITY);
    expect(again.status).toBe(0);
    expect(idsOf(account().instances)).toEqual(idsOf(instances));
    expect(idsOf(account().nodeBalancers)).toEqual(idsOf(nodeBalancers));
    const applied = again.lines
      .map((line) => JSON.parse(line) as { readonly type: string; readonly unchanged?: number })
      .find(({ type }) => type === "applied");
    expect(applied).toMatchObject({ created: 0, configured: 0, unchanged: 11 });
  }, 300_000);
});
