import { createApiServer, type ApiServer } from "@capstan/apiserver";
import { clusterSecretType } from "@capstan/contract";
import { SecretResource, valueAt } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { certificateExpiry, parseKubeconfig } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { secrets } from "../src/config/cluster-secrets.ts";
import { withAnyMember } from "../src/etcd/etcd-access.ts";

const day = 86_400_000;
const namespace = "default";
const serverClock = recentClock();
let server: ApiServer;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  server = createApiServer({ clock: serverClock, random: seededRandom(1), extensions: [] });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock: serverClock });
  client = createClient(connection);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

/** A control plane of the Cluster, and its time, which continues as the test says. */
const controlPlane = (name: string) => {
  const clock = recentClock();
  const cluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace, name },
    spec: { controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } },
  };
  const object = { metadata: { namespace, name, uid: `uid-of-${name}` }, spec: {} };
  const call = { signal: new AbortController().signal };
  const context = { object, cluster, client, clock, call, initialized: false, condition: () => undefined };
  return { clock, context: context as unknown as Parameters<typeof secrets.keepKubeconfig>[0] };
};

const kubeconfigOf = (name: string): Promise<KubeObject> =>
  client.get(SecretResource, { namespace, name: `${name}-kubeconfig` });
const daysLeft = async (name: string, now: number): Promise<number> => {
  const config = parseKubeconfig(fromBase64(String(valueAt(await kubeconfigOf(name), "data.value"))));
  return Math.floor((certificateExpiry(config.clientCertificate ?? "") - now) / day);
};

it("the kubeconfig of the administrator is for a year, and renewed when half of it is over", async () => {
  const { clock, context } = controlPlane("orchid");
  await secrets.keepCertificates(context);
  await secrets.keepKubeconfig(context);
  const first = await kubeconfigOf("orchid");
  expect(await daysLeft("orchid", clock.now())).toBe(365);
  await clock.advance(182 * day);
  await secrets.keepKubeconfig(context);
  expect(await kubeconfigOf("orchid")).toEqual(first);
  await clock.advance(day);
  await secrets.keepKubeconfig(context);
  expect(await daysLeft("orchid", clock.now())).toBe(365);
  const second = await kubeconfigOf("orchid");
  expect(second.metadata.uid).toBe(first.metadata.uid);
  await secrets.keepKubeconfig(context);
  expect(await kubeconfigOf("orchid")).toEqual(second);
});

it("the kubeconfig is not made without the key of the authority, nor without the authority: each is named", async () => {
  const { context } = controlPlane("moss");
  await secrets.keepCertificates(context);
  const consequence = "the kubeconfig of the cluster cannot be created or renewed";
  const body = { data: { "tls.key": null } };
  await client.patch(SecretResource, { namespace, name: "moss-ca" }, { type: "merge", body });
  await expect(secrets.keepKubeconfig(context)).rejects.toMatchObject({
    code: "bootstrap.authority_missing",
    message: `Secret ${namespace}/moss-ca has no key tls.key: ${consequence}; put it there`,
  });
  await client.delete(SecretResource, { namespace, name: "moss-ca" });
  await expect(secrets.keepKubeconfig(context)).rejects.toMatchObject({
    code: "bootstrap.authority_missing",
    message: `Secret ${namespace}/moss-ca does not exist: ${consequence}. Restore it from a backup, or create it with the type cluster.x-k8s.io/secret, the label cluster.x-k8s.io/cluster-name=moss and the keys tls.crt and tls.key from /etc/kubernetes/pki/ca.crt and /etc/kubernetes/pki/ca.key of a control-plane machine; it is never recreated: without a copy, delete and recreate the Cluster`,
  });
});

it("etcd is not asked without its authority, and what is gone or lacks a key is named as that", async () => {
  const { context } = controlPlane("sedge");
  await secrets.keepCertificates(context);
  const key = { namespace, name: "sedge-etcd" };
  const ask = async (): Promise<unknown> => {
    const call = { signal: new AbortController().signal };
    return withAnyMember({ ...context, call }, ["node"], () => expect.fail("a member was asked"));
  };
  await client.patch(SecretResource, key, { type: "merge", body: { data: { "tls.key": null } } });
  await expect(ask()).rejects.toThrow(/^Secret default\/sedge-etcd has no key tls\.key: .*; put it there$/);
  await client.delete(SecretResource, key);
  await expect(ask()).rejects.toThrow(
    /^Secret default\/sedge-etcd does not exist: .* from \/etc\/kubernetes\/pki\/etcd\/ca\.crt and .*; it is never recreated/,
  );
});

it("an authority that somebody put under the name of the cluster's is not taken, and the condition says why", async () => {
  const { context } = controlPlane("heath");
  const said: unknown[] = [];
  const metadata = { namespace, name: "heath-ca" };
  const data = { "tls.crt": "", "tls.key": "" };
  const foreign = await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, data });
  await expect(
    secrets.keepCertificates({ ...context, condition: (condition) => said.push(condition) }),
  ).rejects.toMatchObject({
    code: "bootstrap.cluster_secret_unmarked",
  });
  expect(said).toEqual([
    {
      type: "CertificatesAvailable",
      status: "False",
      reason: "NotAvailable",
      message: `Secret ${namespace}/heath-ca is not used for the cluster: its type is Opaque, and it has no label cluster.x-k8s.io/cluster-name=heath; create it with the type cluster.x-k8s.io/secret, or kubernetes.io/tls, and the label cluster.x-k8s.io/cluster-name=heath`,
    },
  ]);
  expect(await client.get(SecretResource, metadata)).toEqual(foreign);
});

it("a kubeconfig that a user made is left as it is", async () => {
  const { clock, context } = controlPlane("fern");
  await secrets.keepCertificates(context);
  await secrets.keepKubeconfig(context);
  const { data } = await kubeconfigOf("fern");
  await client.delete(SecretResource, { namespace, name: "fern-kubeconfig" });
  const metadata = { namespace, name: "fern-kubeconfig" };
  const own: KubeObject = { apiVersion: "v1", kind: "Secret", metadata, type: clusterSecretType, data };
  const made = await client.create(SecretResource, own);
  await clock.advance(400 * day);
  await secrets.keepKubeconfig(context);
  expect((await kubeconfigOf("fern"))["data"]).toEqual(made["data"]);
});
