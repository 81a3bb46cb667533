import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { Group, silentLogger } from "@capstan/contract";
import { ConfigMapResource, valueAt } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { resource, type KubeObject } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  openDataFolder,
  simulatedLinode,
  startSystem,
  type RunningSystem,
  type UpOptions,
} from "../src/embedded-up.ts";
import { createProviders } from "../src/modules/providers.ts";
import { createProgram } from "../src/program.ts";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { Tower } from "./acme/provider.ts";
import { createManagedWorld, nothingOutside } from "./managed-world.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-third-party-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const provider = join(import.meta.dirname, "acme/provider.ts");
const simulation = join(import.meta.dirname, "acme/simulation.ts");

const key = (name: string) => ({ namespace: "default", name });

const tower = (name: string, spec: object, version = "v1"): KubeObject => ({
  apiVersion: `acme.example/${version}`,
  kind: "Tower",
  metadata: key(name),
  spec,
});

/** What the provider does by its webhooks, wherever they run. */
const expectWebhooks = async (client: Client): Promise<void> => {
  await expect(client.create(Tower, tower("plain", {}) as Tower)).rejects.toThrow(/say how many floors, or make Conf/);
  const defaults = { apiVersion: "v1", kind: "ConfigMap", metadata: key("tower-defaults"), data: { floors: "7" } };
  await client.create(ConfigMapResource, defaults);
  expect((await client.create(Tower, tower("plain", {}) as Tower)).spec).toEqual({ floors: 7 });
  const older = { ...Tower, version: "v1beta1" };
  const written = await client.create<KubeObject>(older, tower("old", { levels: 3 }, "v1beta1"));
  expect(written["spec"]).toEqual({ levels: 3 });
  expect((await client.get(Tower, key("old"))).spec).toEqual({ floors: 3 });
  const shrink = (kind: typeof Tower, spec: object): Promise<unknown> =>
    client.patch(kind, key("old"), { type: "merge", body: { spec } });
  for (const work of [shrink(Tower, { floors: 2 }), shrink(older, { levels: 2 })]) {
    await expect(work).rejects.toMatchObject({
      code: "kube.invalid",
      message: expect.stringContaining('Tower.acme.example "old" is invalid: spec.floors: towers only grow'),
    });
  }
};

/** Returns whether the API server asks the webhooks yet. */
const isHeeded = (client: Client): Promise<boolean> =>
  client.create(Tower, tower("tried", {}) as Tower, { dryRun: true }).then(
    () => false,
    (error: unknown) => String(error).includes("say how many floors"),
  );

const regionOf = async (client: Client, name: string): Promise<unknown> =>
  valueAt(await client.get(Tower, key(name)), "status.region");

describe("capstan up with a provider and a cloud of somebody else", () => {
  const dataDir = join(root, "data");
  const manifest = join(root, "tower.yaml");
  const seed = join(root, "seed.yaml");
  writeFileSync(manifest, `${JSON.stringify(tower("first", { floors: 1 }))}\n---\n${motto()}`);
  writeFileSync(seed, "region: venus\n");

  const start = async (change: Partial<UpOptions> = {}): Promise<{ system: RunningSystem; said: string[] }> => {
    const said: string[] = [];
    const data = openDataFolder(dataDir, { temporary: false });
    const system = await startSystem(
      {
        ...simulatedLinode([manifest]),
        providers: ["core", provider],
        simulate: [simulation],
        dataDir,
        inMemory: false,
        ...change,
      },
      {
        clock: systemClock,
        random: cryptoRandom,
        log: silentLogger,
        view: { say: ({ text }) => void said.push(text), rows: () => undefined, close: () => undefined },
        data,
        variables: () => undefined,
      },
    );
    return { system, said };
  };

  it("runs them, gives each what it asks for, and keeps what is to be kept", async () => {
    const first = await start({ seeds: { acme: seed } });
    const { client } = first.system;
    await expect.poll(() => regionOf(client, "first")).toBe("venus");
    await expectWebhooks(client);
    const says = first.said.find((text) => text.startsWith("simulated Acme"));
    const [, url = "", file = ""] = /at (\S+); environment of its clients: (.*)$/.exec(says ?? "") ?? [];
    expect(first.said).toContain("providers core, infra-acme run");
    expect(readFileSync(file, "utf8")).toBe(`ACME_URL='${url}'\nACME_MOTTO='it'\\''s high'\n`);
    const map = await client.get(ConfigMapResource, key("motto"));
    expect(map["data"]).toEqual({ url, motto: "it's high" });
    await expect(start()).rejects.toMatchObject({ code: "up.data_folder_in_use" });
    await first.system.stop();

    const second = await start();
    expect(second.said).toContain(says);
    await second.system.client.create(Tower, tower("second", { floors: 1 }));
    await expect.poll(() => regionOf(second.system.client, "second")).toBe("venus");
    expect((await second.system.client.get({ ...Tower, version: "v1beta1" }, key("old")))["spec"]).toEqual({
      levels: 3,
    });
    await second.system.stop();
  });

  it.each<[string, Partial<UpOptions>, object]>([
    ["no cloud", { simulate: [] }, { code: "acme.endpoint_missing", message: "set ACME_URL" }],
    ["two of one cloud", { simulate: [simulation, `file://${simulation}`] }, { code: "module.name_taken" }],
    [
      "a seed for another cloud",
      { seeds: { mars: seed } },
      { code: "up.seed_unused", message: expect.stringMatching(/^--seed mars: .*there are acme$/) },
    ],
    [
      "a seed that is not there",
      { seeds: { acme: join(root, "no") } },
      { code: "up.seed_unreadable", message: expect.stringMatching(/^--seed acme=.*: no such file;/) },
    ],
  ])("ends before anything serves with %s", async (_, change, expected) => {
    const said: string[] = [];
    const failed = start(change).then(({ said: lines }) => said.push(...lines));
    await expect(failed).rejects.toMatchObject(expected);
    expect(said).toEqual([]);
  });
});

/** A manifest that takes the variables of the simulation. */
function motto(): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: default, name: motto}\ndata:\n  url: \${ACME_URL}\n  motto: "\${ACME_MOTTO}"\n`;
}

describe("capstan install with a provider of somebody else", () => {
  const printed = async (...args: readonly string[]): Promise<readonly KubeObject[]> => {
    vi.stubEnv("ACME_URL", "https://api.acme.example");
    let text = "";
    const program = createProgram({ write: (part) => void (text += part) });
    expect(await program.run(["install", "--print", "--providers", `core,${provider}`, ...args])).toBe(0);
    vi.unstubAllEnvs();
    return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
  };
  const find = (objects: readonly KubeObject[], kind: string, name: string): KubeObject | undefined =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);

  it("prints its definitions, accounts and roles of no more than it says it does", async () => {
    const objects = await printed();
    expect(find(objects, "ServiceAccount", "capstan-infra-acme")).toBeDefined();
    expect(find(objects, "ClusterRole", "capstan-infra-acme")?.["rules"]).toEqual([
      { apiGroups: ["acme.example"], resources: ["towers"], verbs: ["list", "watch"] },
      { apiGroups: ["acme.example"], resources: ["towers/status"], verbs: ["patch"] },
    ]);
    const versions = valueAt(find(objects, "CustomResourceDefinition", "towers.acme.example")!, "spec.versions");
    expect((versions as { name: string; served: boolean }[]).map(({ name, served }) => [name, served])).toEqual([
      ["v1beta1", false],
      ["v1", true],
    ]);
  });

  it("prints a Deployment that runs it, with its webhooks and what they read", async () => {
    const objects = await printed("--image", "i:1", "--object-stores", "s3,@acme/store");
    expect(JSON.stringify(find(objects, "Deployment", "capstan"))).toContain(
      `"--providers=core,${provider}","--object-stores=s3,@acme/store"`,
    );
    const definition = find(objects, "CustomResourceDefinition", "towers.acme.example")!;
    expect(valueAt(definition, "spec.conversion.strategy")).toBe("Webhook");
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
      expect(JSON.stringify(objects.filter((each) => each.kind === kind))).toContain('"towers"');
    }
    expect(JSON.stringify(find(objects, "ClusterRole", "capstan-webhooks"))).toContain('"configmaps"');
  });

  it("refuses a path that an image cannot have", async () => {
    const program = createProgram({ write: () => undefined });
    const run = program.run(["install", "--print", "--image", "i:1", "--providers", "./acme.ts"]);
    await expect(run).rejects.toMatchObject({
      code: "module.path_in_image",
      message: expect.stringMatching(/^\.\/acme\.ts: not in i:1; name a package/),
    });
  });
});

it("capstan manager installs it under its own roles and serves its webhooks to a server that knows nothing of it", async () => {
  const server = createApiServer({ clock: systemClock, random: cryptoRandom });
  await server.start();
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server,
  });
  const webhookUrl = `https://127.0.0.1:${await freePort()}`;
  const variables = (name: string): string | undefined => (name === "ACME_URL" ? world.simulator.url : undefined);
  const named = ["core", provider];
  const providers = await createProviders(named, { ...nothingOutside, variable: variables });
  await world.install({
    providers,
    serviceAccount: "capstan",
    webhooks: webhookOptions({ webhookUrl }, "capstan-system"),
  });
  const access = await world.accessOf("capstan");
  const started = await world.start({ providers: named, webhookUrl }, { access, variables });
  await started.manager.ready();
  await expect.poll(() => isHeeded(world.admin)).toBe(true);
  await expectWebhooks(world.admin);
  await expect.poll(() => regionOf(world.admin, "old")).toContain("errors");
  const inventory = resource({ group: Group.clusterctl, version: "v1alpha3", kind: "Provider", plural: "providers" });
  const entry = { namespace: "capstan-system", name: "infrastructure-capstan-acme" };
  expect(await world.admin.get<KubeObject>(inventory, entry)).toMatchObject({ version: "v7.1.0" });
});
