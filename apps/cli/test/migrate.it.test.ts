import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { Hardware, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MigrateRequest } from "../src/migrate/migrate-options.ts";
import { performMigrate } from "../src/migrate/run-migrate.ts";

const hardware = {
  data: [
    {
      id: "h-1",
      network: { interfaces: [{ dhcp: { mac: "52:54:00:00:00:01", ip: { address: "10.0.0.5" } } }] },
      metadata: JSON.stringify({ instance: { hostname: "machine-1" } }),
    },
    { id: "h-2", network: { interfaces: [] }, deleted_at: "2021-01-01" },
  ],
};
const templates = { data: [{ id: "t-1", name: "install", data: "name: install\ntasks: []\n" }] };

describe("capstan migrate tinkerbell", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-migrate-"));
  const file = (name: string): string => join(folder, name);
  let environment: ConformanceEnvironment;
  let namespace: string;

  const migrate = async (options: Partial<MigrateRequest> = {}) => {
    const said: string[] = [];
    const request: MigrateRequest = {
      namespace,
      kubeconfig: undefined,
      context: undefined,
      dataDir: undefined,
      files: [file("hardware.json"), file("templates.json")],
      dryRun: false,
      output: "text",
      ...options,
    };
    const session = { client: environment.client, namespace, signal: new AbortController().signal };
    const status = await performMigrate(request, session, (text) => void said.push(text));
    return { status, text: said.join("") };
  };

  beforeAll(async () => {
    environment = await ConformanceEnvironment.start([Hardware, Template, Workflow]);
    namespace = await environment.namespace();
    writeFileSync(file("hardware.json"), JSON.stringify(hardware));
    writeFileSync(file("templates.json"), JSON.stringify(templates));
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  it("reports first, and creates nothing", async () => {
    expect(await migrate({ dryRun: true })).toEqual({
      status: 0,
      text: `Hardware machine-1: would be created
Hardware h-2: skipped: it was deleted there
Template install: would be created
2 would be created, 1 skipped
`,
    });
    const { text } = await migrate({ dryRun: true, output: "json" });
    const { objects, records } = JSON.parse(text) as { readonly objects: readonly unknown[]; readonly records: object };
    expect(objects).toHaveLength(2);
    expect(records).toContainEqual({ kind: "Hardware", id: "h-1", name: "machine-1", outcome: "would be created" });
    expect((await environment.client.list(Hardware, { namespace })).items).toEqual([]);
  });

  it("creates, and finds everything present when it runs again", async () => {
    expect((await migrate()).text).toContain("2 created, 1 skipped");
    expect((await migrate()).text).toContain("2 present, 1 skipped");
    const { metadata } = await environment.client.get(Hardware, { namespace, name: "machine-1" });
    expect(metadata.annotations).toEqual({ "hardware.tinkerbell.org/id": "h-1" });
  });

  it("says which file it cannot read", async () => {
    writeFileSync(file("wrong.json"), "id: x");
    writeFileSync(file("other.json"), '{"data": [{"id": "x"}]}');
    await expect(migrate({ files: [file("wrong.json")] })).rejects.toThrow(/wrong\.json: .*--format json/);
    await expect(migrate({ files: [file("other.json")] })).rejects.toThrow(
      /other\.json, record 1: this is not hardware/,
    );
  });

  it("has status 1 when something is refused", async () => {
    const taken = { data: [{ id: "t-2", name: "install", data: "name: other\ntasks: []\n" }] };
    writeFileSync(file("taken.json"), JSON.stringify(taken));
    const { status, text } = await migrate({ files: [file("taken.json")] });
    expect(status).toBe(1);
    expect(text).toContain("Template install: refused:");
  });
});
