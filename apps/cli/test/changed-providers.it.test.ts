import { SecretResource } from "@capstan/contract/wire";
import { listMetadata } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import { createCertificateAuthority } from "@capstan/pki";
import { freePort } from "@capstan/testing";
import { expect, it } from "vitest";
import { installationLabel } from "../src/cluster/installation.ts";
import { ownedKinds } from "../src/install/owned-kinds.ts";
import { configurationKinds } from "../src/webhooks/webhook-clients.ts";
import {
  configurations,
  createRollingWorld,
  installAll,
  keepWriting,
  refusal,
  startOlder,
  startRunning,
  systemState,
  type RollingWorld,
} from "./changed-providers.ts";

const two = ["core", "infra-linode"];
const three = ["core", "bootstrap-kubeadm", "infra-linode"];

const owned = async ({ world }: RollingWorld): Promise<readonly string[]> => {
  const lists = await Promise.all(
    ownedKinds.map((kind) => listMetadata(world.admin, kind, { labelSelector: `${installationLabel}=capstan` })),
  );
  return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toSorted();
};

const otherAuthority = () =>
  createCertificateAuthority({ now: Date.now(), commonName: "other", algorithm: "ECDSA-P256" });

const until = (condition: () => unknown) => expect.poll(condition, { timeout: 60_000, interval: 50 }).toBe(true);

it("takes every write while providers are added and removed, and lets one manager lead at a time", async () => {
  await using rolling = await createRollingWorld();
  await installAll(rolling, two);
  const atFirst = await owned(rolling);
  let before = await startRunning(rolling, two);
  rolling.route(before.port);
  await until(() => before.leads);
  const stop = keepWriting(rolling);
  for (const providers of [three, two]) {
    await installAll(rolling, providers);
    const next = await startRunning(rolling, providers);
    await until(() => next.started.manager.synced);
    rolling.route(next.port);
    expect([before.leads, next.leads]).toEqual([true, false]);
    await before.started.stop();
    await until(() => next.leads);
    before = next;
  }
  expect(await stop()).toEqual([]);
  expect(new Set(await configurations(rolling))).toEqual(new Set(["capstan"]));
  const leases = (name: string) => name.startsWith("Lease");
  expect((await owned(rolling)).filter((name) => !leases(name))).toEqual(atFirst.filter((name) => !leases(name)));
  expect(rolling.world.failures).toEqual([]);
});

it("takes over from an older release that named things after its list, without a refused write or two leaders", async () => {
  await using rolling = await createRollingWorld();
  await installAll(rolling, two);
  // As the older release left it: with nothing of this one's.
  for (const kind of ownedKinds.slice(0, 2)) await rolling.world.admin.delete(kind, { name: "capstan" });
  await rolling.world.admin.delete(SecretResource, { namespace: "capstan-system", name: "capstan-webhook" });
  const older = await startOlder(rolling, two);
  const stop = keepWriting(rolling);
  await installAll(rolling, three);
  const next = await startRunning(rolling, three);
  await until(() => next.started.manager.synced);
  rolling.route(next.port);
  await older.stop();
  for (let renewals = 0; renewals < 15; renewals++) {
    await older.renew();
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  expect(next.leads).toBe(false);
  expect(await systemState(rolling)).toContain(`${older.name}-webhook`);
  await until(() => next.leads);
  expect(await stop()).toEqual([]);
  expect(new Set(await configurations(rolling))).toEqual(new Set(["capstan"]));
  await expect
    .poll(() => systemState(rolling))
    .toEqual(["capstan-bootstrap-kubeadm", "capstan-core", "capstan-infra-linode", "capstan-webhook"]);
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
  const readiness = async (): Promise<string> => (await fetch(`http://127.0.0.1:${diagnostics}/readyz`)).text();
  await expect.poll(readiness).toBe("ok");
  const { admin } = rolling.world;
  const [mutating] = configurationKinds;
  const { webhooks = [], ...configuration } = await admin.get(mutating, { name: "capstan" });
  const caBundle = toBase64((await otherAuthority()).certificate);
  const distrustful = webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } }));
  await admin.update(mutating, { ...configuration, webhooks: distrustful });
  await expect.poll(readiness).toContain("the caBundle of MutatingWebhookConfiguration capstan lacks the authority");
  expect(await refusal(rolling)).toContain("certificate");
  await installAll(rolling, two);
  await expect.poll(readiness).toBe("ok");
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
