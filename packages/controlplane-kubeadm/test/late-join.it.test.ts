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

const labels = { "cluster.x-k8s.io/cluster-name": "c" };
type Discovery = NonNullable<NonNullable<NonNullable<KubeadmConfig["spec"]>["joinConfiguration"]>["discovery"]>;
const byToken = (id: string): Discovery => ({
  bootstrapToken: { token: `${id}.0123456789abcdef`, unsafeSkipCAVerification: true },
});

const createConfig = (name: string, discovery: Discovery) =>
  client.create(KubeadmConfig, {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmConfig",
    metadata: { namespace, name, labels },
    spec: { joinConfiguration: { controlPlane: {}, discovery } },
  });

const createMachine = (name: string) =>
  client.create(Machines, {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { namespace, name, labels, finalizers: ["test.example/hold"] },
    spec: {
      clusterName: "c",
      bootstrap: {
        configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfig", name },
        dataSecretName: name,
      },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AnyMachine", name },
    },
  });

/** A Machine that is being deleted while its server boots. */
const leaving = async (name: string, id: string, discovery = byToken(id)) => {
  const metadata = { namespace, name };
  await createConfig(name, discovery);
  await createMachine(name);
  await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata: tokenKey(id) });
  await client.delete(Machines, metadata);
  const machine = await client.get(Machines, metadata);
  const infrastructure = { apiVersion: "", kind: "AnyMachine", metadata };
  const context = {
    object: { metadata: {}, spec: {} } as unknown as KubeadmControlPlane,
    cluster: { metadata: { namespace, name: "c" } },
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
  expect(await look()).toMatch(/its bootstrap token is revoked; waiting until .* in case it has started$/);
  await clock.advance(5 * minute);
  expect(await look()).toBeUndefined();
});

it("leaves a token with which another server still joins, and revokes it once none does", async () => {
  const token = byToken("123456");
  await createConfig("joins", token);
  await createMachine("joins");
  await createConfig("has-joined", token);
  await createMachine("has-joined");
  const joined = { type: "merge", body: { status: { nodeRef: { name: "node" } } } } as const;
  await client.patch(Machines, { namespace, name: "has-joined" }, joined, { subresource: "status" });
  const first = await leaving("first", "123456", token);
  await clock.advance(10 * minute);
  const kept = "others join with the same bootstrap token (KubeadmConfigs: joins), so it is not revoked";
  expect([await first.look(), await first.hasToken()]).toEqual([`Machine first took too long to join; ${kept}`, true]);
  expect(await first.look()).toMatch(/so it is not revoked; waiting until .* in case it has started$/);
  await clock.advance(4 * minute);
  await client.delete(Machines, { namespace, name: "joins" });
  expect(await first.look()).toContain("its bootstrap token is revoked");
  expect(await first.hasToken()).toBe(false);
  await clock.advance(4 * minute);
  expect(await first.look()).toMatch(/its bootstrap token is revoked; waiting until /);
  await clock.advance(minute);
  expect(await first.look()).toBeUndefined();
});

it("says that a discovery file is not revoked", async () => {
  const { hasToken, look } = await leaving("filed", "fedcba", { file: { kubeConfigPath: "/etc/discovery.conf" } });
  await clock.advance(10 * minute);
  const message = "Machine filed took too long to join; its discovery file is for all servers, so it is not revoked";
  expect([await look(), await hasToken()]).toEqual([message, true]);
});
