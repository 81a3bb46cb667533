import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { systemClock } from "@capstan/runtime";
import { openKubeconfig } from "../src/backup/open-api.ts";
import { startTestApiserver } from "./test-apiserver.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-manifests-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

interface Pass {
  readonly applied: number;
  readonly removed: number;
  readonly failures: readonly string[];
}

let folders = 0;
const newFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = join(root, `folder-${folders++}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const start = async (folder: string, ...args: string[]) => {
  const passes: Pass[] = [];
  let wake = (): void => undefined;
  const say = ({ type, fields }: { readonly type: string; readonly fields?: unknown }): void => {
    if (type !== "manifests") return;
    passes.push(fields as Pass);
    wake();
  };
  const kubeconfig = join(root, `kubeconfig-${folders++}`);
  const server = await startTestApiserver(
    ["--secure-port", "0", "--write-kubeconfig", kubeconfig, "--manifests", folder, ...args],
    {
      view: { say, rows: () => undefined, close: () => undefined },
      variables: (name) => (name === "COLOUR" ? "blue" : undefined),
    },
  );
  const api = await openKubeconfig(kubeconfig, { clock: systemClock });
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await api.close();
    await server.stop();
  };
  stops.push(stop);
  return {
    client: api.client,
    passes,
    stop,
    /** Waits for a pass like this, of those that were not waited for yet. */
    pass: async (wanted: (pass: Pass) => boolean): Promise<Pass> => {
      for (;;) {
        const next = passes.shift();
        if (next !== undefined && wanted(next)) return next;
        if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
};

const configMap = (name: string, data: string, namespace = "default"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {a: "${data}"}\n`;

const path = (name: string, namespace = "default") => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

const find = async (client: Client, at: string): Promise<KubeObject | undefined> => {
  try {
    return await client.request<KubeObject>({ method: "GET", path: at });
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return undefined;
    throw error;
  }
};

const dataOf = async (client: Client, name: string): Promise<unknown> => (await find(client, path(name)))?.["data"];

const patch = (client: Client, at: string, body: unknown): Promise<unknown> =>
  client.request({
    method: "PATCH",
    path: at,
    headers: { "content-type": "application/merge-patch+json" },
    body,
  });

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.manifest.test}
spec:
  group: manifest.test
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;
const widget = "apiVersion: manifest.test/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 1}\n";
const widgetPath = "/apis/manifest.test/v1/namespaces/default/widgets/one";

const events = async (client: Client, reason: string): Promise<readonly string[]> => {
  const { items } = await client.request<{ items: readonly { reason: string; message: string }[] }>({
    method: "GET",
    path: "/api/v1/events",
  });
  return items.filter((event) => event.reason === reason).map(({ message }) => message);
};

describe("a folder of manifests", () => {
  it("is applied when the server is ready, in an order that works", async () => {
    const folder = newFolder({
      "a.yaml": `${widget}---\n${configMap("first", "${COLOUR}", "prod")}`,
      "b.yaml": `apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n---\n${definition}`,
      "note.txt": "no manifest",
    });
    const { client, passes } = await start(folder, "--in-memory");
    expect(passes).toEqual([{ applied: 4, removed: 0, failures: [] }]);
    expect(await client.request({ method: "GET", path: "/readyz/manifests" })).toBe("ok");
    expect(await find(client, widgetPath)).toMatchObject({
      spec: { size: 1 },
      metadata: { managedFields: [{ manager: "capstan-manifests", operation: "Apply" }] },
    });
    expect(await find(client, path("first", "prod"))).toMatchObject({
      data: { a: "blue" },
      metadata: { annotations: { "capstan.dev/manifest": join(folder, "a.yaml") } },
    });
  });

  it("is applied again when it changes, without touching what did not change", async () => {
    const folder = newFolder({ "a.yaml": configMap("a", "1"), "b.yaml": configMap("b", "1") });
    const { client, pass } = await start(folder, "--in-memory");
    await patch(client, path("a"), { data: { other: "kept" } });
    await patch(client, path("b"), { data: { a: "mine" } });
    writeFileSync(join(folder, "a.yaml"), configMap("a", "2"));
    await pass(({ applied }) => applied === 1);
    expect(await dataOf(client, "a")).toEqual({ a: "2", other: "kept" });
    expect(await dataOf(client, "b")).toEqual({ a: "mine" });
  });

  it("with a bad file leaves its last good state, says where it is bad and goes on with the others", async () => {
    const folder = newFolder({ "a.yaml": configMap("a", "1"), "b.yaml": configMap("b", "1") });
    const { client, pass } = await start(folder, "--in-memory", "--manifests-prune");
    const bad = join(folder, "b.yaml");
    writeFileSync(bad, `${configMap("c", "1")}---\nkind: [\n`);
    const { failures } = await pass((one) => one.failures.length > 0);
    expect(failures).toEqual([expect.stringMatching(/b\.yaml:[67]: .+/)]);
    writeFileSync(join(folder, "a.yaml"), configMap("a", "2"));
    await pass(({ applied }) => applied === 1);
    expect([await dataOf(client, "a"), await dataOf(client, "b"), await dataOf(client, "c")]).toEqual([
      { a: "2" },
      { a: "1" },
      undefined,
    ]);
    expect(await events(client, "ManifestUnreadable")).toEqual(failures);
    writeFileSync(bad, configMap("c", "1"));
    expect(await pass(({ removed }) => removed === 1)).toMatchObject({ applied: 1, failures: [] });
    expect([await dataOf(client, "b"), await dataOf(client, "c")]).toEqual([undefined, { a: "1" }]);
  });

  it("names the objects that are refused, and applies them when what they need is there", async () => {
    const folder = newFolder({ "a.yaml": `${widget}---\n${configMap("a", "1")}extra: 1\n` });
    const { client, passes, pass } = await start(folder, "--in-memory");
    expect(passes.shift()?.failures).toEqual([
      expect.stringMatching(/a\.yaml:10: ConfigMap a: .*\.extra: field not declared in schema/),
      expect.stringMatching(/a\.yaml:1: Widget one: there is no Widget in manifest\.test\/v1 here yet/),
    ]);
    expect((await events(client, "ManifestRefused")).length).toBe(2);
    await client.request({
      method: "PATCH",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.manifest.test",
      query: { fieldManager: "test" },
      headers: { "content-type": "application/apply-patch+yaml" },
      body: (await import("yaml")).parse(definition) as unknown,
    });
    await pass(({ applied }) => applied === 1);
    expect(await find(client, widgetPath)).toBeDefined();
  });

  it("keeps what is removed from it, or prunes it, also what was removed while no server ran", async () => {
    const folder = newFolder({
      "a.yaml": configMap("a", "1"),
      "b.yaml": configMap("b", "1"),
      "c.yaml": configMap("c", "1"),
    });
    const data = join(root, "pruned");
    const kept = await start(folder, "--data-dir", data);
    rmSync(join(folder, "a.yaml"));
    writeFileSync(join(folder, "c.yaml"), configMap("c", "2"));
    await kept.pass(({ applied }) => applied === 1);
    expect(await dataOf(kept.client, "a")).toEqual({ a: "1" });
    await patch(kept.client, path("c"), { metadata: { annotations: { "capstan.dev/manifest": null } } });
    await kept.stop();

    for (const name of ["b.yaml", "c.yaml"]) rmSync(join(folder, name));
    const pruned = await start(folder, "--data-dir", data, "--manifests-prune");
    expect(pruned.passes).toEqual([{ applied: 0, removed: 1, failures: [] }]);
    // What went before pruning was asked for stays, and what someone took over.
    expect(await dataOf(pruned.client, "a")).toEqual({ a: "1" });
    expect(await dataOf(pruned.client, "b")).toBeUndefined();
    expect(await dataOf(pruned.client, "c")).toEqual({ a: "2" });
  });

  it("may be replaced as a whole, and be away for a while", async () => {
    const folder = newFolder({ "a.yaml": configMap("a", "1") });
    const { client, pass } = await start(folder, "--in-memory", "--manifests-prune");
    renameSync(folder, `${folder}-old`);
    const { failures } = await pass((one) => one.failures.length > 0);
    expect(failures).toEqual([
      expect.stringContaining(`--manifests ${folder}: the folder was removed; its objects stay`),
    ]);
    expect(await dataOf(client, "a")).toEqual({ a: "1" });
    cpSync(`${folder}-old`, folder, { recursive: true });
    writeFileSync(join(folder, "a.yaml"), configMap("a", "2"));
    await pass(({ applied }) => applied === 1);
    writeFileSync(join(folder, "a.yaml"), configMap("a", "3"));
    await pass(({ applied }) => applied === 1);
    expect(await dataOf(client, "a")).toEqual({ a: "3" });
  });

  it("may be removed and made anew at once, also with the same inode", async () => {
    const folder = newFolder({ "a.yaml": configMap("a", "1") });
    const { client, pass } = await start(folder, "--in-memory");
    for (const data of ["2", "3"]) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      writeFileSync(join(folder, "a.yaml"), configMap("a", data));
      await pass(({ applied }) => applied === 1);
      writeFileSync(join(folder, "a.yaml"), configMap("a", `${data}, changed`));
      await pass(({ applied }) => applied === 1);
      expect(await dataOf(client, "a")).toEqual({ a: `${data}, changed` });
    }
  });

  it("must be there when the server starts", async () => {
    const missing = join(root, "missing");
    await expect(start(missing, "--in-memory")).rejects.toThrow(`--manifests ${missing}: no such folder`);
    await expect(start("", "--in-memory")).rejects.toThrow("--manifests: must name a folder; it is empty");
    await expect(start(import.meta.filename, "--in-memory")).rejects.toThrow(
      `--manifests ${import.meta.filename}: not a folder; name the folder that contains it`,
    );
    await expect(startTestApiserver(["--in-memory", "--secure-port", "0", "--manifests-prune"])).rejects.toThrow(
      "--manifests-prune requires --manifests",
    );
  });
});
