import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { ConfigMapResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { recentClock, seededRandom, unchangedReads } from "../src/index.ts";

const clock = recentClock();
const namespace = "default";
let server: ApiServer;
let connection: Connection;
let others: Client;
let requests = 0;
let reads: Client;

beforeAll(async () => {
  server = createApiServer({ clock, random: seededRandom(1), extensions: [] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  others = createClient(connection);
});

beforeEach(() => {
  const counted: Connection = {
    ...connection,
    send: (request) => {
      requests += 1;
      return connection.send(request);
    },
  };
  reads = unchangedReads(createClient(counted), () => server.revision);
  requests = 0;
});

afterAll(async () => {
  await connection.close();
  await server.stop();
});

const create = (name: string, data: Readonly<Record<string, string>> = {}) =>
  others.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data });

const set = (name: string, data: Readonly<Record<string, string>>) =>
  others.patch(ConfigMapResource, { namespace, name }, { type: "merge", body: { data } });

it("asks once while nothing changes, for an object and for a list", async () => {
  const first = await create("once");
  const key = { namespace, name: "once" };
  for (let time = 0; time < 3; time++) {
    expect(await reads.get(ConfigMapResource, key)).toEqual(first);
    expect(await reads.find(ConfigMapResource, key)).toEqual(first);
    expect((await reads.list(ConfigMapResource, { namespace })).items).toContainEqual(first);
    expect((await reads.list(ConfigMapResource, { namespace: "elsewhere" })).items).toEqual([]);
  }
  expect(requests).toBe(3);
});

it("asks again after whatever another client has written", async () => {
  const key = { namespace, name: "changed" };
  await create("changed", { at: "0" });
  for (const at of ["1", "2", "3"]) {
    await set("changed", { at });
    expect(await reads.get(ConfigMapResource, key)).toMatchObject({ data: { at } });
    expect((await reads.list(ConfigMapResource, { namespace })).items).toContainEqual(
      expect.objectContaining({ data: { at } }),
    );
  }
  await others.delete(ConfigMapResource, key);
  expect(await reads.find(ConfigMapResource, key)).toBeUndefined();
  await expect(reads.get(ConfigMapResource, key)).rejects.toMatchObject({ code: "kube.not_found" });
});

it("does not answer with what another client changes while it is read", async () => {
  const key = { namespace, name: "meanwhile" };
  await create("meanwhile", { at: "before" });
  await reads.get(ConfigMapResource, key);
  const [, changed] = await Promise.all([reads.get(ConfigMapResource, key), set("meanwhile", { at: "after" })]);
  expect(await reads.get(ConfigMapResource, key)).toEqual(changed);
});

it("asks each time for what is missing", async () => {
  const key = { namespace, name: "late" };
  expect(await reads.find(ConfigMapResource, key)).toBeUndefined();
  expect(await reads.find(ConfigMapResource, key)).toBeUndefined();
  expect(requests).toBe(2);
  const late = await create("late");
  expect(await reads.find(ConfigMapResource, key)).toEqual(late);
});
