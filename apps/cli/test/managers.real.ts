import { KubeadmConfigTemplate } from "@capstan/bootstrap-kubeadm/api";
import { ClusterResource } from "@capstan/contract/wire";
import { LinodeMachineTemplate } from "@capstan/infra-linode/api";
import { keyOf } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { parseManifest } from "../src/manifest/read-manifests.ts";
import { createProviders } from "../src/modules/providers.ts";
import { applyManifests } from "../src/up/apply.ts";
import { expectChanges, expectUpgrade } from "./changed-providers-cases.ts";
import { createRollingWorld } from "./changed-providers.ts";
import { createManagedWorld, names, nothingOutside, recording, type ManagedWorld } from "./managed-world.ts";
import { answersAbout, expectCause } from "./replica-cause-answers.ts";
import { deployment, plainTemplates } from "./replica-cause-cases.ts";
import { expectRotation } from "./rotation-cases.ts";
import { expectSubresources, scaledProviders } from "./scale-cases.ts";
import { aloneExample } from "./alone.ts";
import { areHeeded, expectWebhooks, startWithWebhooks } from "./webhook-cases.ts";

const ResourceQuota = resource({ group: "", version: "v1", kind: "ResourceQuota", plural: "resourcequotas" });

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

const until = (condition: () => boolean) => expect.poll(condition, { timeout: 300_000, interval: 100 }).toBe(true);

const realServer = async (folder: string) => {
  const real = await startKubeApiserver({ assets: folder });
  return {
    url: real.url,
    caCertificate: real.certificateAuthority.certificate,
    adminKubeconfig: async () => real.kubeconfig,
    stop: () => real.stop(),
  };
};

const realWorld = async (folder: string): Promise<ManagedWorld> =>
  createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server: await realServer(folder),
  });

/** Resolves when the API server knows what an account may do: a moment after it was told. */
const isGranted = async ({ admin }: ManagedWorld, account: string): Promise<void> => {
  const may = async (resourceAttributes: object): Promise<boolean> => {
    const { status } = await admin.request<{ readonly status: { readonly allowed: boolean } }>({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user: `system:serviceaccount:capstan-system:${account}`, resourceAttributes },
      },
    });
    return status.allowed;
  };
  const clusters = { verb: "list", group: "cluster.x-k8s.io", resource: "clusters" };
  const lease = { verb: "create", group: "coordination.k8s.io", resource: "leases", namespace: "capstan-system" };
  await expect.poll(async () => [await may(clusters), await may(lease)]).toEqual([true, true]);
};

it("makes and deletes a cluster on a real API server, every provider under the account that was installed for it", async ({
  skip,
}) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  await using world = await realWorld(assets);
  await world.install();
  const refused: unknown[] = [];
  for (const name of names) {
    await isGranted(world, `capstan-${name}`);
    const started = await world.start(
      { providers: [name] },
      {
        access: await world.accessOf(`capstan-${name}`),
        wrapConnection: recording((seen) => {
          if (seen.status === 403) refused.push({ name, ...seen });
        }),
      },
    );
    await started.manager.ready();
  }
  await world.apply(aloneExample());
  await until(() => world.running() === 4);
  await world.admin.delete(ClusterResource, { namespace: "default", name: "orchid" });
  await until(() => world.cache.list(ClusterResource).length === 0);
  expect(world.simulator.state.instances).toEqual([]);
  expect(refused).toEqual([]);
}, 900_000);

it("has a real API server convert, fill in defaults and check by the webhooks of a manager", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  await using world = await realWorld(assets);
  await startWithWebhooks(world);
  await expectWebhooks(world);
}, 900_000);

it("has a real API server hold scales and statuses to the rules of the object", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  await using world = await realWorld(assets);
  await startWithWebhooks(world, scaledProviders);
  await areHeeded(world);
  await expectSubresources(world.admin, await createProviders(scaledProviders, nothingOutside));
}, 900_000);

it("has a real API server take every write while providers change, and after an older release", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  for (const expectCase of [expectChanges, expectUpgrade]) {
    await using rolling = await createRollingWorld(await realServer(assets));
    await expectCase(rolling);
  }
}, 900_000);

it("has a real API server take every write while the authority of the webhooks is replaced", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  // Processes beside this one live in real time, which the clock must not outrun.
  await expectRotation(await realServer(assets), { usual: 3, rotating: 20 });
}, 300_000);

it("says everywhere that a ResourceQuota refuses a Machine", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  await using world = await realWorld(assets);
  await world.install();
  const { admin, adminAccess } = world;
  await (await world.start({ providers: ["core"] }, { access: adminAccess })).manager.ready();
  const hard = { "count/machines.cluster.x-k8s.io": "0" };
  const quota = await admin.create(ResourceQuota, {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: "default", name: "machines" },
    spec: { hard },
  });
  // No one counts here.
  await admin.patch(
    ResourceQuota,
    keyOf(quota),
    { type: "merge", body: { status: { hard, used: hard } } },
    { subresource: "status" },
  );
  const options = {
    client: admin,
    clock: systemClock,
    signal: new AbortController().signal,
    namespace: "default",
    onApplied: () => undefined,
  };
  const cluster =
    "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: orchid}\nspec: {paused: false}\n";
  const manifest = [
    cluster,
    ...plainTemplates([KubeadmConfigTemplate, LinodeMachineTemplate]),
    deployment({ name: "workers", says: "" }),
  ].join("\n---\n");
  await applyManifests(
    parseManifest(manifest, "manifest", () => undefined),
    options,
  );
  const says = "is forbidden: exceeded quota: machines";
  await expect
    .poll(async () => (await answersAbout(admin, "workers", systemClock.now())).conditions, { timeout: 60_000 })
    .toContain(says);
  expectCause(await answersAbout(admin, "workers", systemClock.now()), says);
}, 300_000);
