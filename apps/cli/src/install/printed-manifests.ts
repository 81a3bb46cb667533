import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { inventoryOf } from "../providers/clusterctl.ts";
import { type InstalledAuthority, installedAuthority, newAuthority } from "./authority.ts";
import { checkNoDowngrade } from "./downgrade.ts";
import { allManifests, manifestsOf, type InstallOptions } from "./manifests.ts";
import { findOlder } from "./older-release.ts";
import { checkOtherPlaces } from "./other-places.ts";
import { ownedObjects } from "./owned-kinds.ts";
import { notNeeded } from "./prune.ts";
import { findRecord } from "./record.ts";
import { configurationKinds } from "../webhooks/webhook-clients.ts";

/** Looking at a cluster for manifests does not take longer. */
const lookMs = 10_000;

type PrintOptions = InstallOptions & {
  readonly clock: Clock;
  /** As for installing. Default: not. */
  readonly allowDowngrade?: boolean | undefined;
};

/** Everything of the installation, with the authority that the cluster has; without a client a new one. */
export const printedManifests = async (
  client: Client | undefined,
  providers: readonly ProviderV1[],
  options: PrintOptions,
): Promise<readonly KubeObject[]> => {
  const { webhooks } = options;
  if (client === undefined) {
    const authority = webhooks === undefined ? undefined : await newAuthority(webhooks, options);
    return allManifests(manifestsOf(providers, options, authority));
  }
  const signal = AbortSignal.timeout(lookMs);
  if (options.allowDowngrade !== true) await checkNoDowngrade(client, providers, options, signal);
  const names = providers.map(({ name }) => name);
  await checkOtherPlaces(client, names, options, signal);
  const older = await findOlder(client, { ...options, providers: names }, signal);
  const authority =
    webhooks === undefined ? undefined : await installedAuthority(client, webhooks, { ...options, older }, signal);
  const record = await findRecord(client, options, signal);
  const before = record && { ...record, providers: Object.keys(record.providers) };
  return allManifests(manifestsOf(providers, { ...options, older, before }, withoutState(authority)));
};

/** As a manifest: without what only the server writes. */
const withoutState = (authority: InstalledAuthority | undefined): InstalledAuthority | undefined => {
  if (authority === undefined) return authority;
  const { referenceKey, secret } = authority;
  const key = { ...referenceKey, secret: asWritten(referenceKey.secret) };
  return { ...authority, secret: asWritten(secret), referenceKey: key };
};

const asWritten = <T extends KubeObject>(object: T): T => {
  const { name, namespace, labels } = object.metadata;
  return { ...object, metadata: { name, namespace, ...(labels !== undefined && { labels }) } };
};

/** Names the objects that the installation owns but would no longer need, and the configurations of older releases. */
export const staleManifests = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: PrintOptions & { readonly signal: AbortSignal },
): Promise<readonly KubeObject[]> => {
  const { signal, installation, systemNamespace } = options;
  const names = providers.map(({ name }) => name);
  await checkOtherPlaces(client, names, options, signal);
  const authority = options.webhooks === undefined ? undefined : await newAuthority(options.webhooks, options);
  const wanted = [
    ...allManifests(manifestsOf(providers, options, authority)),
    ...inventoryOf(providers, systemNamespace),
  ];
  const owned = notNeeded(await ownedObjects(client, signal), wanted, installation);
  const older = await findOlder(client, { ...options, providers: names }, signal);
  const configurations = await Promise.all(
    configurationKinds.flatMap((kind) =>
      older.map(async (name) => {
        const object = await client.find(kind, { name }, { signal });
        return object === undefined ? [] : [{ kind, object }];
      }),
    ),
  );
  return [...owned, ...configurations.flat()].map(({ kind, object: { metadata } }) => ({
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name: metadata.name ?? "", ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) },
  }));
};
