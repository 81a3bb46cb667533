import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { clusterSecretType } from "@capstan/contract";
import { controllerOf, SecretResource } from "@capstan/contract/wire";
import type { Machine } from "@capstan/kit/machines";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { KubeadmControlPlane } from "../src/api.ts";
import { secrets } from "../src/config/cluster-secrets.ts";

const clock = recentClock();
const namespace = "default";
let server: ApiServer;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  server = createApiServer({ clock, random: seededRandom(1), extensions: [] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const owner = (name: string) => ({
  apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
  kind: "KubeadmConfig",
  name,
  uid: `uid-of-${name}`,
  controller: true,
});
const secret = async (purpose: string, owners: readonly object[]): Promise<void> => {
  const metadata = { namespace, name: `c-${purpose}`, ownerReferences: owners };
  const object = { apiVersion: "v1", kind: "Secret", metadata, type: clusterSecretType };
  await client.create(SecretResource, object as Parameters<Client["create"]>[1]);
};
const controllerOfSecret = async (purpose: string): Promise<string | undefined> =>
  controllerOf(await client.get(SecretResource, { namespace, name: `c-${purpose}` }))?.name;

it("takes over the Secrets of an adopted Machine's config, and no others", async () => {
  await secret("ca", [owner("first")]);
  await secret("etcd", [owner("another")]);
  await secret("proxy", []);
  const object = { metadata: { namespace, name: "cp", uid: "u" }, spec: {} } as KubeadmControlPlane;
  const configRef = { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name: "first" };
  const machine = { metadata: {}, spec: { bootstrap: { configRef } } } as Machine;
  const cluster = { apiVersion: "", kind: "Cluster", metadata: { namespace, name: "c" } };
  const context = { object, machine, cluster, client, call: { signal: new AbortController().signal } };
  await secrets.adoptCertificates(context as Parameters<typeof secrets.adoptCertificates>[0]);
  expect(await controllerOfSecret("ca")).toBe("cp");
  expect(await controllerOfSecret("etcd")).toBe("another");
  expect(await controllerOfSecret("proxy")).toBeUndefined();
});
