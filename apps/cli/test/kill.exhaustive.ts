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
  readonly events: readonly Event[];
}

interface Event {
  readonly type: string;
  readonly kind?: string;
  readonly name?: string;
  readonly state?: string;
  readonly unchanged?: number;
}

const untilRunning = ["--until", "running", "--timeout", "120s"];

/** Runs `capstan up` on the folder until every Machine runs; with `killAt` until it prints such an event, which ends it with SIGKILL. */
const up = (killAt?: (event: Event) => boolean): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const what = ["up", "--simulate", "linode", "-f", "examples/linode/large-bootstrap.yaml", "--data-dir", folder];
    // One that is to be killed never ends by itself, however late it is killed.
    const args = [...what, "-o", "json", ...(killAt === undefined ? untilRunning : [])];
    const child = spawn(process.execPath, ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...args], {
      cwd: repository,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const events: Event[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      const event = JSON.parse(line) as Event;
      events.push(event);
      if (killAt?.(event) === true) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, events }));
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
    // Each run gets further than the one before, and none can miss what it is killed at: that stays as it is.
    const points: readonly ((event: Event) => boolean)[] = [
      ({ type }) => type === "simulation",
      ({ kind }) => kind === "Cluster",
      ({ kind, state }) => kind === "LinodeCluster" && state === "Ready",
      ({ kind, name, state }) => kind === "KubeadmConfig" && /workers/.test(name ?? "") && state === "Ready",
    ];
    for (const killAt of points) {
      const { status } = await up(killAt);
      expect(status, `killed at ${killAt.toString()}`).toBeNull();
    }
    const last = await up();
    expect(last.status, JSON.stringify(last.events.at(-1))).toBe(0);

    const { instances, nodeBalancers, objects } = account();
    expect(new Set(instances.map(({ label }) => label)).size).toBe(instances.length);
    expect(instances).toHaveLength(4);
    expect(nodeBalancers).toHaveLength(1);
    expect(Object.values(objects).flat()).toEqual([]);
    expect(readdirSync(join(folder, "linode", "guests", "disks")).toSorted()).toEqual(
      instances.map(({ id }) => `${id}.json`).toSorted(),
    );

    const again = await up();
    expect(again.status).toBe(0);
    expect(idsOf(account().instances)).toEqual(idsOf(instances));
    expect(idsOf(account().nodeBalancers)).toEqual(idsOf(nodeBalancers));
    expect(again.events.find(({ type }) => type === "applied")).toMatchObject({
      created: 0,
      configured: 0,
      unchanged: 10,
    });
  }, 300_000);
});
