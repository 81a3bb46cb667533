import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { createGuestHost } from "@capstan/guest";
import { createSimulation } from "@capstan/sim-linode";
import { conditionsOf } from "@capstan/contract/wire";
import { LinodeMachine } from "@capstan/infra-linode/api";
import type { KubeObject } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openDataFolder, silentView, simulatedLinode, startSystem, type UpOptions } from "../src/embedded-up.ts";
import { example, isAs } from "./test-system.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-local-store-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** The example, whose workers have 40 kB of bootstrap data, without the object store that it names. */
const withoutStore = (): string => {
  const text = readFileSync(example, "utf8");
  const cut = text
    .split("\n---\n")
    .filter((part) => !part.includes("bucket: ${OBJECT_STORE_BUCKET}"))
    .join("\n---\n")
    .replace(/ {2}objectStore:\n(?: {4}.*\n)+/, "")
    .replace("replicas: 3", "replicas: 1")
    .replace(
      /(?<=name: orchid-workers\nspec:\n {2}template:\n)(?= {4}spec:\n {6}region:)/,
      "    metadata:\n      annotations:\n        capstan.dev/bootstrap-report: 10m\n",
    );
  expect(cut).not.toMatch(/^ +objectStore:/m);
  expect(cut).toContain("bootstrap-report");
  return cut;
};

/** What `capstan up` starts with this manifest, on a virtual clock, beside a simulated Linode that it knows of or not. */
const start = async ({
  change = {},
  simulated = true,
}: { readonly change?: Partial<UpOptions>; readonly simulated?: boolean } = {}) => {
  const clock = recentClock();
  const random = seededRandom(7);
  const file = join(temporaryFolder(), "manifest.yaml");
  writeFileSync(file, withoutStore());
  const data = openDataFolder("", { temporary: true });
  closing.push(() => data.close());
  let variables: Readonly<Record<string, string>> = {};
  if (!simulated) {
    const guest = createGuestHost({ clock, random, log: silentLogger, lenient: true });
    closing.push(() => guest.stop());
    const outside = {
      clock,
      random,
      log: silentLogger,
      folder: () => undefined,
      port: async () => 0,
      guest: () => guest,
      seed: () => undefined,
    };
    const cloud = await createSimulation(outside);
    await cloud.start();
    closing.push(() => cloud.stop());
    variables = cloud.variables;
  }
  const started = startSystem(
    { ...simulatedLinode([file]), ...(simulated ? {} : { simulate: [] }), ...change },
    { clock, random, log: silentLogger, view: silentView, data, variables: (name) => variables[name] },
  );
  let over = false;
  void started.catch(() => undefined).finally(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 50 });
  const system = await started;
  closing.push(() => system.stop());
  const machines = async (): Promise<readonly KubeObject[]> =>
    (await system.client.list<KubeObject>(LinodeMachine)).items;
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    try {
      await clock.advanceUntil(condition, { stepMs: 100, maxMs: 1_200_000 });
    } catch (cause) {
      throw new Error(`still waiting: ${system.progress.verdict().reasons.join("\n")}`, { cause });
    }
  };
  return { data, machines, system, until };
};

const textOf = (objects: readonly KubeObject[]): string => JSON.stringify(objects);

describe("a cluster that names no object store", () => {
  it("uses that of this computer, for large bootstrap data and for reports, and leaves nothing in it", async () => {
    const { data, machines, system, until } = await start();
    const bucket = data.file("object-store", "buckets", "bootstrap-data");
    await until(() => readdirSync(bucket).length > 0);
    await until(() => system.progress.verdict().running);
    await until(() => readdirSync(bucket).length === 0);
    const workers = (await machines()).filter(({ metadata }) => metadata.name?.startsWith("orchid-workers"));
    expect(workers).toHaveLength(1);
    expect(textOf(workers)).toContain("kube-system/capstan-object-store");
    const reported = { type: "BootstrapSucceeded", status: "True" };
    await until(async () =>
      (await machines()).some((each) => conditionsOf(each).some((condition) => isAs(condition, reported))),
    );
    await until(() => readdirSync(bucket).length === 0);
  });

  it("says on a real cloud that machines cannot reach it, and how they could", async () => {
    const { data, machines, until } = await start({ simulated: false });
    await until(async () => textOf(await machines()).includes("--object-store-address"));
    expect(readdirSync(data.file("object-store", "buckets", "bootstrap-data"))).toEqual([]);
  });

  it("hands out the address that is said, on a real cloud", async () => {
    const objectStoreServer = { address: "https://store.example" };
    const { data, until } = await start({ simulated: false, change: { objectStoreServer } });
    const bucket = data.file("object-store", "buckets", "bootstrap-data");
    await until(() => readdirSync(bucket).length > 0);
  });
});
