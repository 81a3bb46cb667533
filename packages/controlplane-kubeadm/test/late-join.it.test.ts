import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { createApiServer, customResources, type ApiServer } from "@capstan/apiserver";
import { conditionOf, CustomResourceDefinitionResource, SecretResource } from "@capstan/contract/wire";
import type { Member } from "@capstan/kit/control-plane";
import { Machines } from "@capstan/kit/machines";
import { connect, createClient, loadKubeconfig, type Client, type Connection } from "@capstan/kube";
import { crdOf, kind, object } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { KubeadmControlPlane } from "../src/api.ts";
import { joinFacts, stopJoining } from "../src/control-plane/stop-joining.ts";

const minute = 60_000;
const clock = recentClock();
const namespace = "default";
const anything = object({}, { preserveUnknown: true });
const anyMachine = kind({
  group: Machines.group,
  version: Machines.version,
  kind: Machines.kind,
  plural: Machines.plural,
  description: "Stands for Machine.",
  spec: anything,
  status: anything,
});
let server: ApiServer;
let connection: Connection;
/** Of the management API and of the workload cluster: here they are one. */
let client: Client;

beforeAll(async () => {
  server = createApiServer({
    clock,
    random: seededRandom(1),
    extensions: [customResources()],
  });
  await server.start();
  connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  client = createClient(connection);
  for (const each of [KubeadmConfig, anyMachine]) await client.create(CustomResourceDefinitionResource, crdOf(each));
  await clock.advanceUntil(async () =>
    (await client.list(CustomResourceDefinitionResource)).items.every(
      (definition) => conditionOf(definition, "Established")?.status === "True",
    ),
  );
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

const tokenKey = (id: string) => ({ namespace: "kube-system", name: `bootstrap-token-${id}` });

/** A Machine that is being deleted while its server boots, with a token of its own. */
const leaving = async (name: string, id: string, sharedToken?: string) => {
  const discovery = { bootstrapToken: { token: `${id}.0123456789abcdef`, unsafeSkipCAVerification: true } };
  const metadata = { namespace, name };
  await client.create(KubeadmConfig, {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmConfig",
    metadata,
    spec: { joinConfiguration: { controlPlane: {}, discovery } },
  } as never);
  await client.create(Machines, {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { ...metadata, finalizers: ["test.example/hold"] },
    spec: {
      clusterName: "c",
      bootstrap: {
        configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name },
        dataSecretName: name,
      },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AnyMachine", name },
    },
  } as never);
  await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata: tokenKey(id) });
  await client.delete(Machines, metadata);
  const machine = await client.get(Machines, metadata);
  const infrastructure = { apiVersion: "", kind: "AnyMachine", metadata };
  const joinConfiguration = sharedToken === undefined ? {} : { discovery: { bootstrapToken: { token: sharedToken } } };
  const context = {
    object: { metadata: {}, spec: { kubeadmConfigSpec: { joinConfiguration } } } as unknown as KubeadmControlPlane,
    member: { machine, infrastructure } as unknown as Member,
    client,
    clock,
    workload: () => Promise.resolve(client),
    call: { signal: new AbortController().signal },
  } as unknown as Parameters<typeof joinFacts>[0];
  return {
    hasToken: async () => (await client.find(SecretResource, tokenKey(id))) !== undefined,
    /** What is waited for; `undefined` when the Machine may go. */
    look: async () => (await stopJoining(context, await joinFacts(context)))?.message,
  };
};

it("revokes the token of a server that takes too long, and waits for one that has used it", async () => {
  const { hasToken, look } = await leaving("late", "abcdef");
  expect(await look()).toMatch(/^Machine late may be joining etcd, .*; waiting until it has joined, or until /);
  await clock.advance(9 * minute);
  expect([await look(), await hasToken()]).toEqual([expect.stringContaining("may be joining"), true]);
  await clock.advance(minute);
  expect([await look(), await hasToken()]).toEqual([
    "Machine late took too long to join; its bootstrap token is revoked",
    false,
  ]);
  expect(await look()).toMatch(/its bootstrap token is revoked; waiting until .* in case it had begun$/);
  await clock.advance(5 * minute);
  expect(await look()).toBeUndefined();
});

it("leaves a token that is for other servers too", async () => {
  const { hasToken, look } = await leaving("shared", "123456", "123456.0123456789abcdef");
  await clock.advance(10 * minute);
  expect([await look(), await hasToken()]).toEqual([expect.stringContaining("took too long"), true]);
});
