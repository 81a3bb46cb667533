import { createApiServer, standardExtensions } from "@capstan/apiserver";
import type { Client } from "@capstan/kube";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeBackup } from "../src/backup/take-backup.ts";

const Definition = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

const clock = recentClock();
const server = createApiServer({ clock, random: seededRandom(4), extensions: standardExtensions([]) });
let api: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  await server.start();
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  api = createClient(connection);
  close = () => connection.close();
});

afterAll(async () => {
  await close();
  await server.stop();
});

/** Defines a kind; it is served afterwards. */
const define = async (plural: string): Promise<void> => {
  const group = `${plural}.example.test`;
  const schema = { openAPIV3Schema: { type: "object" } };
  await api.create(Definition, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural, kind: plural },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  const isServed = (): Promise<boolean> =>
    api.request({ method: "GET", path: `/apis/${group}/v1/${plural}` }).then(
      () => true,
      () => false,
    );
  await clock.advanceUntil(isServed);
};

/** The client of a server at which so many kinds are defined, one at each reading of the moment. */
const whileDefined = (prefix: string, kinds: number): { readonly client: Client; readonly defined: () => number } => {
  let defined = 0;
  const request: Client["request"] = async (options) => {
    const answer = await api.request(options);
    if (options.path === "/api/v1/namespaces" && options.query?.["limit"] === "1" && defined < kinds) {
      await define(`${prefix}${++defined}`);
    }
    return answer as never;
  };
  return { client: { ...api, request }, defined: () => defined };
};

const settled = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => {
  const results = Promise.allSettled([work]);
  let isOver = false;
  void results.then(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 250 });
  return (await results)[0];
};

const { signal } = new AbortController();

it("waits while kinds are being defined, and holds all of them", async () => {
  const { client, defined } = whileDefined("early", 5);
  const result = await settled(takeBackup(client, { clock, signal }));
  expect(result.status, String((result as PromiseRejectedResult).reason)).toBe("fulfilled");
  expect(defined()).toBe(5);
  const { entries } = (result as PromiseFulfilledResult<Awaited<ReturnType<typeof takeBackup>>>).value;
  const names = entries.map(({ object }) => object.metadata.name);
  for (const number of [1, 2, 3, 4, 5]) expect(names).toContain(`early${number}.early${number}.example.test`);
});

it("says to run it again where kinds never settle", async () => {
  const { client } = whileDefined("endless", 1000);
  const result = await settled(takeBackup(client, { clock, signal }));
  expect(String((result as PromiseRejectedResult).reason)).toMatch(/no backup was written\. Rerun when the server/);
});
