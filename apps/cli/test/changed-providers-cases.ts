import { listMetadata } from "@capstan/kube";
import { SecretResource } from "@capstan/contract/wire";
import { expect } from "vitest";
import { installationLabel } from "../src/cluster/installation.ts";
import { ownedKinds } from "../src/install/owned-kinds.ts";
import {
  configurations,
  installAll,
  keepWriting,
  startOlder,
  startRunning,
  systemState,
  type RollingWorld,
} from "./changed-providers.ts";

export const two = ["core", "infra-linode"];
export const three = ["core", "bootstrap-kubeadm", "infra-linode"];

const owned = async ({ world }: RollingWorld): Promise<readonly string[]> => {
  const lists = await Promise.all(
    ownedKinds.map((kind) => listMetadata(world.admin, kind, { labelSelector: `${installationLabel}=capstan` })),
  );
  return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toSorted();
};

export const until = (condition: () => unknown) => expect.poll(condition, { timeout: 60_000, interval: 50 }).toBe(true);

const leasesGranted = async ({ world }: RollingWorld): Promise<readonly string[]> => {
  const kind = ownedKinds.find((each) => each.kind === "Role");
  if (kind === undefined) throw new Error("an installation has Roles");
  const role = await world.admin.get(kind, { namespace: "capstan-system", name: "capstan-leader-election" });
  const { rules } = role as unknown as { readonly rules: readonly { readonly resourceNames?: readonly string[] }[] };
  return rules.flatMap(({ resourceNames = [] }) => resourceNames).toSorted();
};

/** Every write is taken while providers are added and removed, and one manager leads at a time. */
export const expectChanges = async (rolling: RollingWorld): Promise<void> => {
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
    // The one that leads keeps the right to its Leases until it has handed over.
    expect(await leasesGranted(rolling)).toEqual(three.map((name) => `capstan-${name}`).toSorted());
    await before.started.stop();
    await until(() => next.leads);
    before = next;
  }
  expect(await stop()).toEqual([]);
  expect(new Set(await configurations(rolling))).toEqual(new Set(["capstan"]));
  const leases = (name: string) => name.startsWith("Lease");
  expect((await owned(rolling)).filter((name) => !leases(name))).toEqual(atFirst.filter((name) => !leases(name)));
  expect(rolling.world.failures).toEqual([]);
};

/** An older release that named things after its list is followed without a refused write and without two leaders. */
export const expectUpgrade = async (rolling: RollingWorld): Promise<void> => {
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
  // For longer than a Lease lasts that no one renews.
  const longEnough = Date.now() + 7_000;
  await until(async () => {
    await older.renew();
    return Date.now() >= longEnough;
  });
  expect(next.leads).toBe(false);
  expect(await systemState(rolling)).toContain(`${older.name}-webhook`);
  await until(() => next.leads);
  expect(await stop()).toEqual([]);
  expect(new Set(await configurations(rolling))).toEqual(new Set(["capstan"]));
  await expect
    .poll(() => systemState(rolling))
    .toEqual([
      "capstan-bootstrap-kubeadm",
      "capstan-core",
      "capstan-infra-linode",
      "capstan-reference-key",
      "capstan-webhook",
    ]);
};
