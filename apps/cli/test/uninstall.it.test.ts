import { Label } from "@capstan/contract";
import {
  ClusterResource,
  CustomResourceDefinitionResource,
  SecretResource,
  NamespaceResource,
} from "@capstan/contract/wire";
import { listMetadata } from "@capstan/kube";
import { apiVersionOf } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentView } from "../src/embedded-up.ts";
import { installationLabel } from "../src/cluster/installation.ts";
import { ownedKinds } from "../src/install/owned-kinds.ts";
import { printedManifests, staleManifests } from "../src/install/printed-manifests.ts";
import { findRecord } from "../src/install/record.ts";
import { createProviders } from "../src/modules/providers.ts";
import { planUninstallation } from "../src/uninstall/plan-uninstallation.ts";
import { takeAway } from "../src/uninstall/take-away.ts";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { createManagedWorld, names, nothingOutside, passingOn, type ManagedWorld } from "./managed-world.ts";

const clock = recentClock();
const pass = passingOn(clock);
const systemNamespace = "capstan-system";
const { signal } = new AbortController();

let world: ManagedWorld;
beforeEach(async () => {
  world = await createManagedWorld({ clock, random: seededRandom(11), pass });
});
afterEach(() => world[Symbol.asyncDispose]());

/** Every line that it says. */
const uninstall = async ({ installation = "capstan", dryRun = false, force = false } = {}): Promise<string> => {
  const said: string[] = [];
  const view = { ...silentView, say: ({ text }: { readonly text: string }) => void said.push(text) };
  const plan = await pass(planUninstallation(world.admin, { installation, systemNamespace }, signal));
  await pass(takeAway(world.admin, plan, { installation, dryRun, force, view, signal }));
  return said.join("\n");
};

const labelled = async (installation = "capstan"): Promise<readonly string[]> => {
  const kinds = [...ownedKinds, CustomResourceDefinitionResource, NamespaceResource];
  const lists = await Promise.all(
    kinds.map((kind) =>
      listMetadata(world.admin, kind, { labelSelector: `${installationLabel}=${installation}` }).catch(() => ({
        items: [],
      })),
    ),
  );
  return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
};

const cluster = {
  apiVersion: apiVersionOf(ClusterResource),
  kind: "Cluster",
  metadata: { namespace: "default", name: "orchid", finalizers: ["cluster.cluster.x-k8s.io"] },
  spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "orchid" } },
};

it("takes everything away that an installation brought", async () => {
  await world.install({ webhooks: webhookOptions({ webhookUrl: "https://127.0.0.1:1" }, systemNamespace) });
  const before = await labelled();
  expect(before.length).toBeGreaterThan(40);
  const planned = await uninstall({ dryRun: true });
  for (const name of before.filter((each) => !each.includes("Role"))) expect(planned).toContain(name.split(" ")[1]);
  expect(await labelled()).toEqual(before);
  expect(await uninstall()).toContain("nothing remains");
  await pass(expect.poll(() => labelled()).toEqual([]));
  expect(await uninstall()).toContain("the installation capstan does not exist");
});

it("orphans no cluster without being told to, and says what remains", async () => {
  await world.install({ webhooks: webhookOptions({ webhookUrl: "https://127.0.0.1:1" }, systemNamespace) });
  const { admin } = world;
  const isWebhook = (kind: string) => kind.endsWith("WebhookConfiguration");
  for (const kind of ownedKinds.filter((each) => isWebhook(each.kind))) await admin.delete(kind, { name: "capstan" });
  await admin.create(ClusterResource, cluster);
  await admin.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "default", name: "token", finalizers: ["capstan.dev/held-by-linodecluster"] },
  });
  await expect(uninstall()).rejects.toMatchObject({
    code: "installation.in_use",
    message: expect.stringContaining("Cluster default/orchid"),
  });
  expect(await uninstall({ dryRun: true })).toContain("this requires --force");
  const said = await uninstall({ force: true });
  expect(said).toContain("Cluster default/orchid, with its servers, now unmanaged");
  expect(said).toContain("CustomResourceDefinition clusters.cluster.x-k8s.io, still in use by 1 Cluster");
  expect(said).toContain("Secret default/token (capstan.dev/held-by-linodecluster), held by a finalizer");
  expect((await admin.get(ClusterResource, { namespace: "default", name: "orchid" })).metadata.name).toBe("orchid");
  const definition = await admin.get(CustomResourceDefinitionResource, { name: "clusters.cluster.x-k8s.io" });
  expect(definition).toMatchObject({ spec: { conversion: { strategy: "None" } } });
  expect(await labelled()).toEqual(["CustomResourceDefinition clusters.cluster.x-k8s.io"]);
  const again = await uninstall();
  expect(again).toContain("nothing left to delete");
  expect(again).toContain("Cluster default/orchid, with its servers, now unmanaged");
  await world.install();
  expect((await labelled()).length).toBeGreaterThan(40);
});

it("leaves what another installation has", async () => {
  await world.install({ namespaces: ["default"] });
  const before = await labelled();
  await world.install({ namespaces: ["kube-public"], installation: "blue" });
  expect(await labelled()).toEqual(before);
  expect((await labelled("blue")).length).toBeGreaterThan(10);
  const said = await uninstall({ installation: "blue" });
  expect(said).not.toContain("CustomResourceDefinition");
  expect(await labelled()).toEqual(before);
  expect(await labelled("blue")).toEqual([]);
});

it("orphans no cluster of namespaces that it alone watches, though another installation has its kinds", async () => {
  await world.install({ namespaces: ["kube-public"] });
  await world.install({ namespaces: ["default"], installation: "blue" });
  await world.admin.create(ClusterResource, cluster);
  await expect(uninstall({ installation: "blue" })).rejects.toMatchObject({
    code: "installation.in_use",
    message: expect.stringContaining("Cluster default/orchid") as unknown,
  });
  const before = await labelled("blue");
  expect(await uninstall({ installation: "blue", force: true })).toContain(
    "Cluster default/orchid, with its servers, now unmanaged",
  );
  expect(before.length).toBeGreaterThan(10);
  expect(await labelled("blue")).toEqual([]);
});

describe("an installation in another system namespace", () => {
  it("is not taken for the one of the same name, which keeps all that it has", async () => {
    await world.install({ namespaces: ["default"] });
    const before = await labelled();
    const second = world.install({ namespaces: ["default"], systemNamespace: "elsewhere" });
    await expect(second).rejects.toMatchObject({
      code: "installation.elsewhere",
      message: expect.stringContaining("use --system-namespace capstan-system, use another --installation") as unknown,
    });
    expect(await labelled()).toEqual(before);
  });

  it.each([
    ["all", printedManifests],
    ["stale", staleManifests],
  ])("is not printed either (%s manifests), by its name or by what it handles", async (_, print) => {
    await world.install({ namespaces: ["default"] });
    const providers = await createProviders(names, nothingOutside);
    const place = { systemNamespace: "elsewhere", namespaces: ["default"], watchFilter: undefined };
    const printing = (installation: string) =>
      pass(print(world.admin, providers, { ...place, installation, clock, signal }));
    await expect(printing("capstan")).rejects.toMatchObject({ code: "installation.elsewhere" });
    await expect(printing("blue")).rejects.toMatchObject({ code: "installation.handled_elsewhere" });
  });

  it("handles no objects that another one handles, since both would lead at once", async () => {
    await world.install({ namespaces: ["default"] });
    const blue = { installation: "blue", systemNamespace: "elsewhere" };
    for (const namespaces of [[], ["kube-public", "default"]]) {
      await expect(world.install({ ...blue, namespaces })).rejects.toMatchObject({
        code: "installation.handled_elsewhere",
        message: expect.stringMatching(
          /^the installation capstan in namespace capstan-system handles core, /,
        ) as unknown,
      });
    }
    expect(await labelled("blue")).toEqual([]);
    await world.install({ ...blue, namespaces: ["kube-public"] });
    expect((await labelled("blue")).length).toBeGreaterThan(10);
  });
});

/** What `clusterctl delete` deletes: what has the label of these providers, definitions only with `--include-crd`. */
const clusterctlDelete = async ({
  providers,
  includeDefinitions,
}: {
  readonly providers?: readonly string[];
  readonly includeDefinitions: boolean;
}): Promise<void> => {
  const { admin } = world;
  const kinds = [...ownedKinds, ...(includeDefinitions ? [CustomResourceDefinitionResource] : [])];
  for (const kind of kinds) {
    const { items } = await admin.list(kind, { labelSelector: Label.clusterctl });
    for (const { metadata } of items) {
      const { labels = {}, name = "", namespace } = metadata;
      if (providers !== undefined && !providers.includes(labels[Label.provider] ?? "")) continue;
      await admin.delete(kind, { name, ...(namespace !== undefined && { namespace }) });
    }
  }
};

const webhooks = webhookOptions({ webhookUrl: "https://127.0.0.1:1" }, systemNamespace);
const recordOf = async (): Promise<readonly string[]> => {
  const record = await findRecord(world.admin, { installation: "capstan", systemNamespace }, signal);
  return Object.keys(record?.providers ?? {}).toSorted();
};

describe("after clusterctl delete", () => {
  it.each([
    ["with the definitions", true],
    ["without the definitions", false],
  ])("of everything, %s, takes away what is left", async (_, includeDefinitions) => {
    await world.install({ webhooks });
    await pass(clusterctlDelete({ includeDefinitions }));
    expect(await uninstall({ dryRun: true })).toContain("would be deleted");
    expect(await uninstall()).toContain("nothing remains");
    await pass(expect.poll(() => labelled()).toEqual([]));
    await world.install({ webhooks });
    expect((await labelled()).length).toBeGreaterThan(40);
  });

  it("of everything but the definitions, orphans no cluster without being told to", async () => {
    await world.install({ webhooks });
    await pass(clusterctlDelete({ includeDefinitions: false }));
    await world.admin.create(ClusterResource, cluster);
    await expect(uninstall()).rejects.toMatchObject({ code: "installation.in_use" });
    expect(await uninstall({ force: true })).toContain("Cluster default/orchid, with its servers, now unmanaged");
  });

  it("of one provider, install --remove forgets it, and installing it again brings it back", async () => {
    await world.install({ webhooks });
    await pass(clusterctlDelete({ providers: ["infrastructure-capstan-linode"], includeDefinitions: true }));
    const all = await createProviders(names, nothingOutside);
    const fewer = all.filter(({ name }) => name !== "infra-linode");
    await world.install({ webhooks, providers: fewer, remove: true });
    expect(await recordOf()).toEqual(["bootstrap-kubeadm", "core"]);
    expect((await labelled()).filter((name) => /linode/i.test(name))).toEqual([]);
    await world.install({ webhooks });
    expect(await recordOf()).toEqual(["bootstrap-kubeadm", "core", "infra-linode"]);
    const definition = { name: "linodemachines.infrastructure.cluster.x-k8s.io" };
    expect((await world.admin.get(CustomResourceDefinitionResource, definition)).metadata.name).toBe(definition.name);
    expect(await uninstall()).toContain("nothing remains");
  });

  it("of core, a plain install brings everything back", async () => {
    await world.install({ webhooks });
    const before = await labelled();
    await pass(clusterctlDelete({ providers: ["capstan"], includeDefinitions: true }));
    expect((await labelled()).length).toBeLessThan(before.length);
    await world.install({ webhooks });
    expect((await labelled()).toSorted()).toEqual(before.toSorted());
  });
});
