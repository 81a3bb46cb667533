import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyManifests, type ApplyResult } from "../src/up/apply.ts";

const server = createApiServer({ clock: systemClock, random: cryptoRandom, log: silentLogger, storage: "memory" });
let connection: Connection;
let admin: Client;
beforeAll(async () => {
  await server.start();
  const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
  connection = connect({ access, clock: systemClock });
  admin = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const { signal } = new AbortController();
const ConfigMaps = { group: "", version: "v1", plural: "configmaps", kind: "ConfigMap", namespaced: true };

const configMap = (name: string, data: string, metadata: KubeObject["metadata"] = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...metadata, name, namespace: "default" },
  data: { applied: data },
});

/** Applies one object; `before` runs when the command has read it and is about to send what it applies. */
const apply = async (object: KubeObject, before = async (): Promise<unknown> => undefined): Promise<ApplyResult> => {
  const results: ApplyResult[] = [];
  const client = createClient({
    ...connection,
    url: connection.url,
    clock: connection.clock,
    send: async (request) => {
      if (request.method === "PATCH") await before();
      return connection.send(request);
    },
    open: (request) => connection.open(request),
    close: () => connection.close(),
  });
  await applyManifests([{ object, source: "test" }], {
    client,
    clock: systemClock,
    signal,
    namespace: "default",
    onApplied: (_, result) => results.push(result),
  });
  return results[0]!;
};

/** Writes an annotation of its own, as a controller does. */
const touch = (name: string, value: string): Promise<unknown> =>
  admin.request({
    method: "PATCH",
    path: `/api/v1/namespaces/default/configmaps/${name}`,
    headers: { "content-type": "application/merge-patch+json" },
    body: { metadata: { annotations: { "example.com/touched": value } } },
    signal,
  });

describe("what the command says of an object it applied", () => {
  it("is created, unchanged, configured", async () => {
    expect(await apply(configMap("plain", "1"))).toBe("created");
    expect(await apply(configMap("plain", "1"))).toBe("unchanged");
    expect(await apply(configMap("plain", "2"))).toBe("configured");
  });

  it("is unchanged although a controller writes between the reading and the applying", async () => {
    await apply(configMap("raced", "1"));
    let writes = 0;
    const race = async (): Promise<void> => {
      writes += 1;
      if (writes <= 3) await touch("raced", `${writes}`);
    };
    expect(await apply(configMap("raced", "1"), race)).toBe("unchanged");
    expect(writes).toBe(4);
    expect(await admin.get(ConfigMaps, { namespace: "default", name: "raced" }, { signal })).toMatchObject({
      metadata: { annotations: { "example.com/touched": "3" } },
      data: { applied: "1" },
    });
  });

  it("is created when the object goes between the reading and the applying", async () => {
    const gone = configMap("gone", "1");
    await apply(gone);
    const remove = () => admin.delete(ConfigMaps, { namespace: "default", name: "gone" });
    expect(await apply(gone, remove)).toBe("created");
  });

  it("is configured in the end, however often a controller writes", async () => {
    await apply(configMap("busy", "1"));
    let writes = 0;
    expect(await apply(configMap("busy", "2"), () => touch("busy", `${++writes}`))).toBe("configured");
    const key = { namespace: "default", name: "busy" };
    expect(await admin.get(ConfigMaps, key, { signal })).toMatchObject({ data: { applied: "2" } });
  });

  it("is a refusal when the manifest names a version or an identity the object does not have", async () => {
    await apply(configMap("named", "1"));
    await expect(apply(configMap("named", "2", { resourceVersion: "1" }))).rejects.toThrow(/ConfigMap named/);
    const uid = "00000000-0000-4000-8000-000000000000";
    await expect(apply(configMap("named", "2", { uid }))).rejects.toThrow(/ConfigMap named/);
  });
});
