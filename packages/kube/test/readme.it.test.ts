import { createApiServer } from "@capstan/apiserver";
import { Secret } from "@capstan/contract";
import { connect, createCache, createClient } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { resource } from "@capstan/schema";
import { expect, it } from "vitest";

it("the README's quick start finds a Node by its zone and changes it", async () => {
  const [clock, random, token] = [systemClock, cryptoRandom, new Secret("t0ken")];
  const tokens = { t0ken: { name: "admin", groups: ["system:masters"] } };
  const zoned = { name: "n", labels: { "topology.kubernetes.io/zone": "eu-west-1a" } };
  const manifests = [{ apiVersion: "v1", kind: "Node", metadata: zoned }];
  const server = createApiServer({ clock, random, tokens, manifests });
  await server.start();
  const { url, caCertificate: ca } = server;
  const stop = new AbortController();
  const { signal } = stop;

  const connection = connect({ url, ca, token, clock }); // or { access: await loadKubeconfig({ file }), clock }
  const cache = createCache({ connection, random });
  const client = createClient(connection, { observer: cache }); // own writes show in the cache at once

  const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
  cache.informer(Node).addIndex("zone", ({ metadata }) => [metadata.labels?.["topology.kubernetes.io/zone"] ?? ""]);
  await cache.start({ signal });
  const inZone = cache.byIndex(Node, "zone", "eu-west-1a");
  await client.patch(Node, { name: "n" }, { type: "merge", body: { metadata: { labels: { a: "b" } } } });

  expect(inZone.map(({ metadata }) => metadata.name)).toEqual(["n"]);
  expect(cache.get(Node, { name: "n" })?.metadata.labels).toMatchObject({ a: "b" });
  stop.abort();
  await connection.close();
  await server.stop();
});
