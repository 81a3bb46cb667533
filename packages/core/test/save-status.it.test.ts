import { createApiServer } from "@capstan/apiserver";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { type KubeObject, resource } from "@capstan/schema";
import { crdOf } from "@capstan/schema/manifest";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { Cluster } from "../src/api.ts";
import { saveStatus } from "../src/object/draft.ts";

const Crds = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});
const key = { namespace: "default", name: "prod" };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const definition = crdOf(Cluster, { conversion: { url: "https://127.0.0.1:1/convert" } });
/** The same definition, whose objects have no endpoint for their status. */
const withoutStatus = {
  ...definition,
  spec: { ...definition.spec, versions: definition.spec.versions.map((version) => ({ ...version, subresources: {} })) },
};

/** An API server that knows Clusters, and one of them. */
const setup = async (crd: KubeObject): Promise<{ readonly client: Client; readonly stored: Cluster }> => {
  const clock = recentClock();
  const server = createApiServer({ clock, random: seededRandom(1) });
  await server.start();
  closing.push(() => server.stop());
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  closing.push(() => connection.close());
  const client = createClient(connection);
  await client.create(Crds, crd);
  const cluster: Cluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: key,
    spec: { paused: false },
  };
  return { client, stored: await client.create(Cluster, cluster) };
};

const deleting = (stored: Cluster): Cluster => ({ ...stored, status: { phase: "Deleting" } });

it("stores the status", async () => {
  const { client, stored } = await setup(definition as unknown as KubeObject);
  await saveStatus({ client }, Cluster, stored, deleting(stored));
  expect((await client.get(Cluster, key)).status?.phase).toBe("Deleting");
});

it("has nothing to say of an object that is gone", async () => {
  const { client, stored } = await setup(definition as unknown as KubeObject);
  await client.delete(Cluster, key);
  const wanted = deleting(stored);
  await expect(saveStatus({ client }, Cluster, stored, wanted)).resolves.toBe(wanted);
});

it("fails for an object that is there and has no status to write", async () => {
  const { client, stored } = await setup(withoutStatus);
  await expect(saveStatus({ client }, Cluster, stored, deleting(stored))).rejects.toMatchObject({
    code: "kube.not_found",
  });
});
