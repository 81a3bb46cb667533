import { createApiServer } from "@capstan/apiserver";
import { CapstanError } from "@capstan/contract";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { createMetrics, systemClock } from "@capstan/runtime";
import {
  createWebhookServer,
  kindWebhooks,
  routeKinds,
  secretCertificate,
  webhookClientConfig,
  webhookConfigurations,
  WebhookPath,
} from "@capstan/runtime/webhook";
import { type KubeObject, resource } from "@capstan/schema";
import { crdOf } from "@capstan/schema/manifest";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { Cluster, ClusterV1Beta1 } from "../src/api.ts";
import { coreConverters } from "../src/conversion/core-converters.ts";
import { defaultObject } from "../src/defaults/default-object.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const registration = { group: "admissionregistration.k8s.io", version: "v1", namespaced: false };
const admissionKinds = {
  MutatingWebhookConfiguration: resource({
    ...registration,
    kind: "MutatingWebhookConfiguration",
    plural: "mutatingwebhookconfigurations",
  }),
  ValidatingWebhookConfiguration: resource({
    ...registration,
    kind: "ValidatingWebhookConfiguration",
    plural: "validatingwebhookconfigurations",
  }),
};
const Crds = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

const clusters = kindWebhooks<Cluster>({
  kind: Cluster,
  mutate: ({ object }) => (object === null ? { allowed: true } : { object: defaultObject(labelled(object)) }),
  validate: ({ operation, object, oldObject }) => {
    if (operation !== "UPDATE" || oldObject?.spec.paused !== true || object?.spec.paused === true) {
      return { allowed: true };
    }
    return {
      allowed: false,
      code: 422,
      reason: "Invalid",
      message: "the Cluster stays paused",
      causes: [{ reason: "FieldValueForbidden", field: "spec.paused", message: "stays as it is" }],
    };
  },
  convert: (object, apiVersion) => {
    const convert = coreConverters[`${Cluster.plural}.${Cluster.group}`];
    if (convert === undefined) throw new TypeError("Clusters are converted");
    return convert(object, apiVersion, (group) => `${group}/v1`);
  },
});

const labelled = (cluster: Cluster): Cluster => ({
  ...cluster,
  metadata: { ...cluster.metadata, labels: { ...cluster.metadata.labels, "test.capstan.dev/seen": "yes" } },
});

/** An API server whose Clusters are defaulted, validated and converted by a webhook server of its own. */
const setup = async (): Promise<Client> => {
  // TLS verifies certificates by real time.
  const clock = fakeClock({ now: systemClock.now() });
  const api = createApiServer({ clock, random: seededRandom(1) });
  await api.start();
  closing.push(() => api.stop());
  const connection = connect({ access: await loadKubeconfig({ text: await api.adminKubeconfig() }), clock });
  closing.push(() => connection.close());
  const client = createClient(connection);
  const secret = { namespace: "default", name: "webhook" };
  const certificate = secretCertificate({ client, clock, secret, hosts: ["127.0.0.1"] });
  const { caBundle } = await certificate();
  const webhooks = createWebhookServer({
    host: "127.0.0.1",
    port: 0,
    clock,
    metrics: createMetrics(),
    certificate: async () => (await certificate()).serving,
  });
  routeKinds(webhooks, [clusters]);
  const stop = new AbortController();
  const running = webhooks.run({ signal: stop.signal });
  closing.push(async () => {
    stop.abort();
    await running;
  });
  await clock.advanceUntil(() => webhooks.port !== 0, { stepMs: 1 });
  const endpoint = { url: `https://127.0.0.1:${webhooks.port}` };
  const conversion = webhookClientConfig(endpoint, WebhookPath.convert, caBundle);
  await client.create(Crds, { ...crdOf(Cluster, { conversion }) });
  for (const object of webhookConfigurations({ name: "capstan", endpoint, caBundle, kinds: [clusters] })) {
    await client.create(admissionKinds[object.kind as keyof typeof admissionKinds], object);
  }
  await clock.advanceUntil(async () => {
    await client.list(Cluster);
    return true;
  });
  return client;
};

const older = (fields: object): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta1",
  kind: "Cluster",
  metadata: { namespace: "default", name: "c" },
  spec: { infrastructureRef: { kind: "ThingCluster", apiVersion: "things.example/v1", name: "c" }, ...fields },
});

it("defaults, validates and converts for an API server that knows it by address", async () => {
  const client = await setup();
  const key = { namespace: "default", name: "c" };
  const created = await client.create(ClusterV1Beta1, older({ paused: true }));
  expect(created).toMatchObject({
    apiVersion: "cluster.x-k8s.io/v1beta1",
    metadata: { labels: { "test.capstan.dev/seen": "yes" } },
    spec: { infrastructureRef: { kind: "ThingCluster", apiVersion: "things.example/v1" } },
  });
  const stored = await client.get(Cluster, key);
  expect(stored).toMatchObject({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    spec: { paused: true, infrastructureRef: { apiGroup: "things.example", kind: "ThingCluster", name: "c" } },
  });
  const denied = client.patch(ClusterV1Beta1, key, { type: "merge", body: { spec: { paused: false } } });
  await expect(denied).rejects.toThrow("the Cluster stays paused");
  await expect(denied).rejects.toBeInstanceOf(CapstanError);
  await client.patch(Cluster, key, { type: "merge", body: { metadata: { labels: { more: "x" } } } });
  await client.delete(Cluster, key);
  expect(await client.find(Cluster, key)).toBeUndefined();
});
