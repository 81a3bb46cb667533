import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { ConfigMapResource, SecretResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readManifestFiles } from "../src/manifest/read-manifests.ts";
import { missingObjects } from "../src/up/apply.ts";
import { applyFiles } from "../src/up/apply-files.ts";
import { followFiles } from "../src/up/follow-files.ts";
import type { View } from "../src/view/view.ts";

const server = createApiServer({ clock: systemClock, random: cryptoRandom, log: silentLogger, storage: "memory" });
const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), "capstan-apply-files-"));
let connection: Connection;
let client: Client;
beforeAll(async () => {
  await server.start();
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  connection = connect({ access, clock: systemClock });
  client = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
  rmSync(root, { recursive: true });
});

const parent = { namespace: "kube-system", name: "capstan-up-applied-files" };
// As `kubectl apply --applyset=configmap/capstan-up-applied-files -n kube-system` computes it.
const id = "applyset-nG39tj3gFySkXEXoNUGka04dGR9c2iZpYs77D13bqv4-v1";
const names = async (kind: Resource): Promise<readonly (string | undefined)[]> =>
  (await client.list<KubeObject>(kind, { labelSelector: `applyset.kubernetes.io/part-of=${id}` })).items.map(
    ({ metadata }) => metadata.name,
  );

const said: string[] = [];

beforeEach(async () => {
  said.splice(0);
  for (const kind of [ConfigMapResource, SecretResource]) {
    for (const name of await names(kind)) await client.delete(kind, { namespace: "default", name: name ?? "" });
  }
  await client.delete(ConfigMapResource, parent);
});
let onSaid = (): void => undefined;
const view: View = {
  say: ({ text }) => {
    said.push(text.replaceAll(`${root}/`, ""));
    onSaid();
  },
  rows: () => undefined,
  close: () => undefined,
};

const write = (name: string, data: Readonly<Record<string, string>>, kind = "ConfigMap"): string => {
  const file = join(root, `${name}.yaml`);
  const content = kind === "Secret" ? { stringData: data } : { data };
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind, metadata: { name }, ...content }));
  return file;
};

const options = () => ({ client, clock: systemClock, view, signal, namespace: "default", forceConflicts: false });
const apply = async (files: readonly string[], forceConflicts = false, prune = false): Promise<void> =>
  applyFiles(await readManifestFiles(files, () => undefined), { ...options(), forceConflicts, prune });

const edit = (resource: Resource, name: string, body: Readonly<Record<string, unknown>>): Promise<KubeObject> =>
  client.patch(resource, { namespace: "default", name }, { type: "merge", body }, { fieldManager: "kubectl-edit" });
const dataOf = async (name: string, resource: Resource = ConfigMapResource): Promise<unknown> =>
  (await client.get(resource, { namespace: "default", name }))["data"];

describe("files that are applied again", () => {
  it("leave what others changed when they have not changed", async () => {
    const file = write("same", { replicas: "3" });
    await apply([file]);
    await edit(ConfigMapResource, "same", { data: { replicas: "5" } });
    await apply([file]);
    expect(await dataOf("same")).toEqual({ replicas: "5" });
    expect(said).toEqual([
      "1 object applied: 1 created, 0 configured, 0 unchanged",
      "same.yaml has not changed since it was applied",
    ]);
  });

  it("name the fields that others changed, which stay, when they have changed elsewhere", async () => {
    await apply([write("elsewhere", { replicas: "3", version: "1" })]);
    await edit(ConfigMapResource, "elsewhere", { data: { replicas: "5" } });
    await apply([write("elsewhere", { replicas: "3", version: "2" })]);
    expect(await dataOf("elsewhere")).toEqual({ replicas: "5", version: "2" });
    expect(said.slice(1)).toEqual([
      "elsewhere.yaml:1: ConfigMap elsewhere: .data.replicas stays as kubectl-edit set it; --force-conflicts uses the value in the file",
      "1 object applied: 0 created, 1 configured, 0 unchanged",
    ]);
  });

  it("win with --force-conflicts, changed or not", async () => {
    const file = write("forced", { replicas: "3" });
    await apply([file]);
    await edit(ConfigMapResource, "forced", { data: { replicas: "5" } });
    await apply([file], true);
    expect(await dataOf("forced")).toEqual({ replicas: "3" });
  });

  it("keep the key that somebody put into a Secret", async () => {
    await apply([write("credentials", { token: "old", region: "a" }, "Secret")]);
    await edit(SecretResource, "credentials", { stringData: { token: "new" } });
    await apply([write("credentials", { token: "old", region: "b" }, "Secret")]);
    const data = (await dataOf("credentials", SecretResource)) as Readonly<Record<string, string>>;
    expect([fromBase64(data["token"] ?? ""), fromBase64(data["region"] ?? "")]).toEqual(["new", "b"]);
  });

  it("leave deleted what was deleted, and say so", async () => {
    const file = write("deleted", { a: "b" });
    await apply([file]);
    await client.delete(ConfigMapResource, { namespace: "default", name: "deleted" });
    await apply([file]);
    expect(said.at(-1)).toBe(
      "deleted.yaml:1: ConfigMap deleted was deleted after the file was applied; --force-conflicts recreates it",
    );
    await apply([file], true);
    expect(await dataOf("deleted")).toEqual({ a: "b" });
  });

  it("are tried again when one of their objects was refused, the others are not", async () => {
    const [good, bad] = [write("good", { a: "b" }), write("bad", { a: "b" }, "Nonsense")];
    await expect(apply([good, bad])).rejects.toThrow("1 of 2 objects was refused; the others are applied");
    await edit(ConfigMapResource, "good", { data: { a: "c" } });
    await expect(apply([good, bad])).rejects.toThrow("1 of 1 object was refused\n");
    expect(await dataOf("good")).toEqual({ a: "c" });
  });
});

describe("objects that are no longer in any file", () => {
  it("stay and are named, and are deleted with --prune", async () => {
    const [stays, goes] = [write("stays", { a: "b" }), write("goes", { a: "b" }, "Secret")];
    await apply([stays, goes], false, true);
    expect(await names(SecretResource)).toEqual(["goes"]);
    said.splice(0);
    await apply([stays]);
    expect(said).toEqual([
      "stays.yaml has not changed since it was applied",
      "1 object no longer in any file (--prune deletes): Secret default/goes",
    ]);
    expect(await names(SecretResource)).toEqual(["goes"]);
    await apply([stays], false, true);
    expect(said.at(-1)).toBe("deleting Secret default/goes, which is no longer in any file");
    expect(await names(SecretResource)).toEqual([]);
    expect(await names(ConfigMapResource)).toEqual(["stays"]);
  });

  it("are a set that other tools can read", async () => {
    await apply([write("one", { a: "b" }), write("two", { a: "b" }, "Secret")], false, true);
    const { metadata } = await client.get(ConfigMapResource, parent);
    expect(metadata.labels).toEqual({ "applyset.kubernetes.io/id": id });
    expect(metadata.annotations).toEqual({
      "applyset.kubernetes.io/tooling": expect.stringMatching(/^capstan\/v\d/),
      "applyset.kubernetes.io/contains-group-kinds": "ConfigMap,Secret",
      "applyset.kubernetes.io/additional-namespaces": "default",
    });
  });

  it("stay where an object is refused", async () => {
    const [goes, bad] = [write("later", { a: "b" }), write("worse", { a: "b" }, "Nonsense")];
    await apply([goes], false, true);
    await expect(apply([bad], false, true)).rejects.toThrow("was refused");
    expect(await names(ConfigMapResource)).toEqual(["later"]);
  });

  it("are those that capstan up applied, and not what has the label from a copy", async () => {
    await apply([write("mine", { a: "b" })], false, true);
    const metadata = { namespace: "default", name: "copy", labels: { "applyset.kubernetes.io/part-of": id } };
    await client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata });
    await apply([write("mine", { a: "c" })], false, true);
    expect(await names(ConfigMapResource)).toEqual(["copy", "mine"]);
  });
});

it("files that change while the command runs are applied, and what is wrong with them is said", async () => {
  const file = write("followed", { a: "1" });
  const readFiles = (paths: readonly string[]) => readManifestFiles(paths, () => undefined);
  const applying = (files: Parameters<typeof applyFiles>[0]) => applyFiles(files, options());
  const files = await readFiles([file]);
  await applying(files);
  const next = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      onSaid = () => resolve(said.at(-1));
    });
  const stop = followFiles([file, "-"], { ...options(), files, readFiles, apply: applying });
  const broken = next();
  writeFileSync(file, "kind: [");
  expect(await broken).toMatch(/^followed\.yaml:1: /);
  const applied = next();
  write("followed", { a: "2" });
  expect(await applied).toBe("1 object applied: 0 created, 1 configured, 0 unchanged");
  expect(await dataOf("followed")).toEqual({ a: "2" });
  stop();
});

it("an object that is removed from followed files stays and is named, one that moved between files is not", async () => {
  const parts = join(root, "parts");
  mkdirSync(parts);
  const moved = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "moved", namespace: "default" } };
  const declare = (name: string): string => {
    const file = join(parts, `${name}.yaml`);
    renameSync(write(name, { a: "1" }), file);
    return file;
  };
  const [taken, deleted] = [declare("taken"), declare("deleted-first"), declare("moved")];
  const readFiles = (paths: readonly string[]) => readManifestFiles(paths, () => undefined);
  const applying = (files: Parameters<typeof applyFiles>[0]) => applyFiles(files, options());
  const files = await readFiles([parts]);
  await applying(files);
  const { promise: applied, resolve } = Promise.withResolvers<void>();
  onSaid = () => {
    if (said.at(-1)?.includes("no longer") === true) resolve();
  };
  said.splice(0);
  const stop = followFiles([parts], { ...options(), files, readFiles, apply: applying });
  await client.delete(ConfigMapResource, { namespace: "default", name: "deleted-first" });
  for (const file of [taken, deleted]) rmSync(file);
  renameSync(join(parts, "moved.yaml"), join(parts, "elsewhere.yaml"));
  writeFileSync(join(parts, "elsewhere.yaml"), JSON.stringify({ ...moved, data: { a: "2" } }));
  await applied;
  stop();
  expect(said).toEqual([
    "1 object applied: 0 created, 1 configured, 0 unchanged",
    "1 object no longer in any file (--prune deletes): ConfigMap default/taken",
  ]);
  expect(await dataOf("taken")).toEqual({ a: "1" });
});

it("objects count as missing when the server says so, not when it does not answer", async () => {
  const files = await readManifestFiles([write("not-applied", { a: "1" })], () => undefined);
  const [item] = files.flatMap(({ objects }) => objects);
  if (item === undefined) throw new Error("the file has an object");
  const unknown = { ...item, object: { ...item.object, kind: "Unheard" } };
  expect(await missingObjects([item, unknown], options())).toEqual([item]);
  const nowhere = connect({ url: "http://127.0.0.1:9", clock: systemClock });
  try {
    const asked = missingObjects([item], { ...options(), client: createClient(nowhere) });
    await expect(asked).rejects.toMatchObject({ code: "kube.unavailable" });
  } finally {
    await nowhere.close();
  }
});
