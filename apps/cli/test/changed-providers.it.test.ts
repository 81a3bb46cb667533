import {
  CustomResourceDefinitionResource,
  MachineDeploymentResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { toBase64 } from "@capstan/kube-values";
import { createCertificateAuthority } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { freePort } from "@capstan/testing";
import { expect, it } from "vitest";
import { silentView } from "../src/embedded-up.ts";
import { applyInstallation } from "../src/install/apply-installation.ts";
import { printedManifests, staleManifests } from "../src/install/printed-manifests.ts";
import { configurationKinds } from "../src/webhooks/webhook-clients.ts";
import { webhookOptions } from "../src/webhooks/webhook-options.ts";
import { expectChanges, expectUpgrade, three, two, until } from "./changed-providers-cases.ts";
import {
  configurations,
  createRollingWorld,
  installAll,
  keepWriting,
  providersOf,
  refusal,
  startOlder,
  startRunning,
} from "./changed-providers.ts";

const otherAuthority = () =>
  createCertificateAuthority({ now: Date.now(), commonName: "other", algorithm: "ECDSA-P256" });

it("takes every write while providers are added and removed, and lets one manager lead at a time", async () => {
  await using rolling = await createRollingWorld();
  await expectChanges(rolling);
});

it("takes over from an older release that named things after its list, without a refused write or two leaders", async () => {
  await using rolling = await createRollingWorld();
  await expectUpgrade(rolling);
});

it("repairs what an older release left with two authorities", async () => {
  await using rolling = await createRollingWorld();
  await startOlder(rolling, two);
  await installAll(rolling, three);
  const last = await startOlder(rolling, three);
  expect(await configurations(rolling)).toContain(last.name);
  await installAll(rolling, three);
  expect(await refusal(rolling)).toBeUndefined();
  expect(new Set(await configurations(rolling))).toEqual(new Set(["capstan"]));
});

it("is ready while what asks its webhooks trusts them, and says what does not", async () => {
  await using rolling = await createRollingWorld();
  await installAll(rolling, two);
  const diagnostics = await freePort();
  const manager = await startRunning(rolling, two, diagnostics);
  rolling.route(manager.port);
  await until(() => manager.leads);
  const readiness = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${diagnostics}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  await expect.poll(readiness).toBe("200 ok");
  const { admin } = rolling.world;
  const caBundle = toBase64((await otherAuthority()).certificate);
  const distrust = async (kind: (typeof configurationKinds)[number]): Promise<void> => {
    const { webhooks = [], ...configuration } = await admin.get(kind, { name: "capstan" });
    const distrustful = webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } }));
    await admin.update(kind, { ...configuration, webhooks: distrustful });
  };
  const [mutating, validating] = configurationKinds;
  await distrust(mutating);
  // Those that trust are still answered.
  await expect
    .poll(readiness)
    .toContain("200 ok\nwebhooks: the caBundle of MutatingWebhookConfiguration capstan lacks the authority");
  expect(await refusal(rolling)).toContain("certificate");
  await distrust(validating);
  const definitions = (await admin.list<KubeObject>(CustomResourceDefinitionResource)).items.filter(
    (definition) => valueAt(definition, "spec.conversion.webhook") !== undefined,
  );
  for (const { metadata } of definitions) {
    const body = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    const key = { name: metadata.name ?? "" };
    await admin.patch(CustomResourceDefinitionResource, key, { type: "merge", body });
  }
  await expect.poll(readiness).toContain("503 webhooks: the caBundle of ");
  await installAll(rolling, two);
  await expect.poll(readiness).toBe("200 ok");
  expect(await refusal(rolling)).toBeUndefined();
});

it("takes every write when the Secret of the webhooks was deleted and is installed again", async () => {
  await using rolling = await createRollingWorld();
  await installAll(rolling, two);
  const manager = await startRunning(rolling, two);
  rolling.route(manager.port);
  await until(() => manager.leads);
  const stop = keepWriting(rolling);
  await rolling.world.admin.delete(SecretResource, { namespace: "capstan-system", name: "capstan-webhook" });
  await installAll(rolling, two);
  const next = await startRunning(rolling, two);
  await until(() => next.started.manager.synced);
  rolling.route(next.port);
  await manager.started.stop();
  await until(() => next.leads);
  expect(await stop()).toEqual([]);
});

it("prints what has the authority in place, and what is no longer needed", async () => {
  await using rolling = await createRollingWorld();
  const { world, url } = rolling;
  await installAll(rolling, three);
  const options = {
    installation: "capstan",
    systemNamespace: "capstan-system",
    namespaces: [],
    serviceAccount: "capstan",
    webhooks: webhookOptions({ webhookUrl: url }, "capstan-system"),
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const providers = await providersOf(two);
  const stored = await world.admin.get(SecretResource, { namespace: "capstan-system", name: "capstan-webhook" });
  const printed = await printedManifests(world.admin, providers, options);
  expect(printed.find(({ kind }) => kind === "Secret")).toMatchObject({ data: (stored as never)["data"] });
  const offline = await printedManifests(undefined, providers, options);
  const bundles = (objects: readonly object[]) => new Set(JSON.stringify(objects).match(/"caBundle":"[^"]+"/g));
  expect(bundles(printed).size).toBe(1);
  expect(bundles(printed)).not.toEqual(bundles(offline));
  const stale = await staleManifests(world.admin, providers, options);
  expect(stale.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    "Provider bootstrap-capstan-kubeadm",
    ...["ClusterRoleBinding", "ClusterRole"].flatMap((kind) =>
      ["capstan-bootstrap-kubeadm", "capstan-core-bootstrap-kubeadm"].map((name) => `${kind} ${name}`),
    ),
  ]);
});

it("takes away nothing that is needed without being told to", async () => {
  await using rolling = await createRollingWorld();
  const { world } = rolling;
  const providers = await providersOf(two);
  await world.install({ namespaces: ["default", "kube-public"] });
  await expect(world.install({ namespaces: ["default"] })).rejects.toMatchObject({
    code: "installation.namespaces_lost",
  });
  const template = (kind: string, group: string) => ({
    apiVersion: `${group}/v1beta2`,
    kind,
    metadata: { namespace: "default", name: "small" },
    spec: { template: { spec: { verbosity: 1 } } },
  });
  const [definition] = (await world.admin.list(CustomResourceDefinitionResource)).items.filter(({ metadata }) =>
    metadata.name?.startsWith("kubeadmconfigtemplates."),
  );
  expect(definition).toBeDefined();
  await world.admin.create(
    {
      ...MachineDeploymentResource,
      group: "bootstrap.cluster.x-k8s.io",
      kind: "KubeadmConfigTemplate",
      plural: "kubeadmconfigtemplates",
    },
    template("KubeadmConfigTemplate", "bootstrap.cluster.x-k8s.io"),
  );
  const fewer = { providers, namespaces: ["default", "kube-public"] };
  await expect(world.install(fewer)).rejects.toMatchObject({
    code: "installation.provider_in_use",
    message: expect.stringContaining("bootstrap-kubeadm, still needed by 1 KubeadmConfigTemplate"),
  });
  await world.install({ ...fewer, remove: true });
  await expect(
    world.install({ installation: "another", providers, serviceAccount: "capstan-core" }),
  ).rejects.toMatchObject({ code: "installation.belongs_to_another" });
});

it("leaves no definition to a webhook of a provider that is gone, wherever it was interrupted", async () => {
  await using rolling = await createRollingWorld();
  const { world, url } = rolling;
  await installAll(rolling, three);
  const isInTheWay = (key: { readonly name: string }) => key.name.startsWith("kubeadmconfigs.");
  const patch: typeof world.admin.patch = (kind, key, ...rest) =>
    kind.kind === "CustomResourceDefinition" && isInTheWay(key)
      ? Promise.reject(new Error("the process ended here"))
      : world.admin.patch(kind, key, ...rest);
  const client = new Proxy(world.admin, {
    get: (target, name) => {
      if (name === "patch") return patch;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  const options = {
    serviceAccount: "capstan",
    webhooks: webhookOptions({ webhookUrl: url }, "capstan-system"),
    clock: systemClock,
    view: silentView,
    signal: new AbortController().signal,
  };
  await expect(applyInstallation(client, await providersOf(two), options)).rejects.toThrow("ended here");
  await installAll(rolling, two);
  const definitions = (await world.admin.list<KubeObject>(CustomResourceDefinitionResource)).items;
  const left = definitions.filter(({ metadata }) => metadata.name?.startsWith("kubeadmconfig"));
  expect(left).toHaveLength(2);
  for (const definition of left) expect(valueAt(definition, "spec.conversion.strategy")).toBe("None");
});
