import { isCapstanError, type Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { ConfigMapResource, CustomResourceDefinitionResource, NamespaceResource } from "@capstan/contract/wire";
import { listMetadata, type Client } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import type { CustomResourceDefinition, KubeObject } from "@capstan/schema";
import { defaultInstallation, installationLabel, labelled } from "../cluster/installation.ts";
import { defaultSystemNamespace, type ManagerOptions } from "../cluster/manager-options.ts";
import { InventoryResource, inventoryDefinition, inventoryOf } from "../providers/clusterctl.ts";
import { installDefinitions } from "../providers/install-crds.ts";
import { applyManifests } from "../up/apply.ts";
import type { View } from "../view/view.ts";
import type { WebhookOptions } from "../webhooks/webhook-options.ts";
import { installedAuthority, storeCertificate, type InstalledAuthority } from "./authority.ts";
import type { DeploymentOptions } from "./deployment.ts";
import { checkLostKinds, checkNoDowngrade, lostDefinitions } from "./downgrade.ts";
import { manifestsOf, type InstallOptions, type Manifests } from "./manifests.ts";
import { checkNoOlderDeployment } from "./older-deployment.ts";
import { checkOtherPlaces } from "./other-places.ts";
import { findOlder, removeOlderConfigurations } from "./older-release.ts";
import { installationOf, orNone, ownedObjects } from "./owned-kinds.ts";
import { checkDeployment, checkOwners, notNeeded, prune } from "./prune.ts";
import { findRecord, type InstallationRecord } from "./record.ts";
import { checkNamespaces, checkRemoval } from "./removal.ts";
import { abandonDefinitions } from "./abandon.ts";

/** Maximum number of conflicts with another user who creates the webhook certificate at the same moment. */
const attempts = 5;

export type ApplyInstallationOptions = Partial<
  Pick<ManagerOptions, "systemNamespace" | "namespaces" | "watchFilter" | "installation">
> & {
  readonly serviceAccount?: string | undefined;
  readonly webhooks?: WebhookOptions | undefined;
  readonly deployment?: DeploymentOptions | undefined;
  /** True if providers and namespaces that the installation had may go although something needs them. Default: not. */
  readonly remove?: boolean | undefined;
  /** True if what a newer release of Capstan installed may be replaced. Default: not. */
  readonly allowDowngrade?: boolean | undefined;
  readonly clock: Clock;
  readonly view: View;
  readonly signal: AbortSignal;
};

/**
 * Applies everything that managers of these providers need, waits until the definitions are served, and removes what the installation
 * no longer needs.
 */
export const applyInstallation = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: ApplyInstallationOptions,
): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(client, providers, options);
    } catch (error) {
      if (attempt === attempts || !isCapstanError(error, "installation.overtaken")) throw error;
    }
  }
};

const applyOnce = async (
  client: Client,
  providers: readonly ProviderV1[],
  options: ApplyInstallationOptions,
): Promise<void> => {
  const { clock, view, signal, webhooks } = options;
  const systemNamespace = options.systemNamespace ?? defaultSystemNamespace;
  const installation = options.installation ?? defaultInstallation;
  const { namespaces = [], watchFilter } = options;
  const place = { installation, systemNamespace, namespaces, watchFilter, clock };
  if (options.allowDowngrade !== true) await checkNoDowngrade(client, providers, place, signal);
  const names = providers.map(({ name }) => name);
  await checkOtherPlaces(client, names, place, signal);
  const record = await findRecord(client, place, signal);
  const gone = await goneProviders(client, providers, record, { ...options, ...place });
  const lost = lostDefinitions(record, providers);
  if (options.remove !== true) await checkLostKinds(client, place, lost, signal);
  const older = await findOlder(client, { ...place, providers: names }, signal);
  const before = record && { ...record, providers: Object.keys(record.providers) };
  const settings: InstallOptions = { ...options, ...place, older, before };
  const authority =
    webhooks === undefined ? undefined : await installedAuthority(client, webhooks, { ...place, older }, signal);
  const manifests = await withKeptLabels(client, manifestsOf(providers, settings, authority), signal);
  const inventory = inventoryOf(providers, systemNamespace).map((entry) => labelled(entry, installation));
  const wanted = [
    ...manifests.accounts,
    ...inventory,
    ...manifests.certificate,
    ...manifests.webhooks,
    ...manifests.deployments,
  ];
  const owned = await ownedObjects(client, signal);
  checkOwners(owned, wanted, installation);
  if (options.remove !== true) checkDeployment(notNeeded(owned, wanted, installation), manifests.deployments);
  if (settings.deployment !== undefined) {
    await checkNoOlderDeployment(client, manifests.deployments, { ...place, providers: names }, signal);
  }
  const abandoned = [...gone.flatMap(({ definitions }) => definitions), ...lost];
  // Whoever is interrupted before that is done has to find what the installation had when it starts over.
  const [records, accounts] = abandoned.length === 0 ? [[], manifests.accounts] : withRecordApart(manifests.accounts);
  const parts = { manifests: { ...manifests, accounts }, inventory, authority };
  const counts = await applyAll(client, parts, { ...place, signal });
  await abandonDefinitions(client, abandoned, { installation, signal });
  await applyCounted(client, records, { ...place, signal }, counts);
  const removed = [
    ...(await prune(client, notNeeded(await ownedObjects(client, signal), wanted, installation), signal)),
    ...(webhooks === undefined ? [] : await removeOlderConfigurations(client, older, place, signal)),
  ];
  sayInstalled(view, { installation, definitions: manifests.definitions.length, ...counts, removed });
};

const sayInstalled = (
  view: View,
  fields: Readonly<Counts> & {
    readonly installation: string;
    readonly definitions: number;
    readonly removed: readonly string[];
  },
): void => {
  const { configured, created, definitions, removed, unchanged } = fields;
  const applied = created + configured + unchanged;
  const pruned =
    removed.length === 0
      ? ""
      : `; ${countNoun(removed.length, "object")} no longer needed removed: ${removed.join(", ")}`;
  const text = `${definitions} definitions are served; ${applied} objects applied: ${created} created, ${configured} configured, ${unchanged} unchanged${pruned}`;
  view.say({ type: "installed", text, fields });
};

const isRecord = ({ kind }: KubeObject): boolean => kind === ConfigMapResource.kind;

/** The record of what is installed, and everything else. */
const withRecordApart = (
  accounts: readonly KubeObject[],
): readonly [records: readonly KubeObject[], others: readonly KubeObject[]] => [
  accounts.filter(isRecord),
  accounts.filter((object) => !isRecord(object)),
];

/** Providers that the installation had and has no longer, with the definitions that only they need. */
const goneProviders = async (
  client: Client,
  providers: readonly ProviderV1[],
  record: InstallationRecord | undefined,
  options: ApplyInstallationOptions & {
    readonly installation: string;
    readonly systemNamespace: string;
    readonly namespaces: readonly string[];
  },
): Promise<readonly { readonly name: string; readonly definitions: readonly string[] }[]> => {
  const { clock, signal, installation, remove = false } = options;
  if (record === undefined) return [];
  const names = new Set(providers.map(({ name }) => name));
  const gone = Object.keys(record.providers).filter((name) => !names.has(name));
  if (!remove) {
    checkNamespaces(installation, record, options);
    if (gone.length > 0) await checkRemoval(client, options, record, gone, { now: clock.now(), signal });
  }
  return gone.map((name) => ({ name, definitions: record.providers[name] ?? [] }));
};

/**
 * Keeps the label of the first installation on shared objects; a namespace that existed before belongs to no
 * installation.
 */
const withKeptLabels = async (client: Client, manifests: Manifests, signal: AbortSignal): Promise<Manifests> => {
  const name = manifests.namespace.metadata.name ?? "";
  const [namespace, definitions] = await Promise.all([
    client.find(NamespaceResource, { name }, { signal }),
    listMetadata(client, CustomResourceDefinitionResource, { labelSelector: installationLabel, signal }),
  ]);
  const owners = new Map(definitions.items.map((each) => [each.metadata.name, installationOf(each)]));
  const owned = (definition: CustomResourceDefinition): CustomResourceDefinition => {
    const owner = owners.get(definition.metadata.name);
    return owner === undefined ? definition : (labelled(definition, owner) as never);
  };
  return {
    ...manifests,
    namespace:
      namespace === undefined ? manifests.namespace : relabelled(manifests.namespace, installationOf(namespace)),
    definitions: manifests.definitions.map(owned),
  };
};

const relabelled = (object: KubeObject, installation: string | undefined): KubeObject => {
  if (installation !== undefined) return labelled(object, installation);
  const { labels: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** The kind of clusterctl's inventory, the installation's own unless it was there before. */
const ownInventory = async (
  client: Client,
  installation: string,
  signal: AbortSignal,
): Promise<CustomResourceDefinition> => {
  const { name } = inventoryDefinition.metadata;
  const found = await client.find(CustomResourceDefinitionResource, { name }, { signal });
  const owner = found === undefined ? installation : installationOf(found);
  return owner === undefined ? inventoryDefinition : (labelled(inventoryDefinition, owner) as never);
};

interface Counts {
  created: number;
  configured: number;
  unchanged: number;
}

const applyCounted = (
  client: Client,
  objects: readonly KubeObject[],
  {
    clock,
    signal,
    systemNamespace: namespace,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly systemNamespace: string },
  counts: Counts,
): Promise<void> =>
  applyManifests(
    objects.map((object) => ({ object, source: "capstan install" })),
    { client, clock, signal, namespace, onApplied: (_, result) => void (counts[result] += 1) },
  );

/** Applies in an order in which nothing is asked of what is not there, and nothing is served that is not trusted. */
const applyAll = async (
  client: Client,
  {
    manifests,
    inventory,
    authority,
  }: {
    readonly manifests: Manifests;
    readonly inventory: readonly KubeObject[];
    readonly authority: InstalledAuthority | undefined;
  },
  where: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly systemNamespace: string;
    readonly installation: string;
  },
): Promise<Counts> => {
  const { clock, signal, installation } = where;
  const counts: Counts = { created: 0, configured: 0, unchanged: 0 };
  const apply = (objects: readonly KubeObject[]): Promise<void> => applyCounted(client, objects, where, counts);
  const place = { client, clock, signal };
  await apply([manifests.namespace, ...manifests.accounts]);
  await installDefinitions([await ownInventory(client, installation, signal)], place);
  const entries = await orNone(client.list(InventoryResource, { labelSelector: installationLabel, signal }));
  const owners = new Map(entries.map((entry) => [entry.metadata.name, installationOf(entry)]));
  await apply(
    inventory.map((entry) => labelled(entry, owners.get(entry.metadata.name) ?? installationOf(entry) ?? "")),
  );
  await installDefinitions(manifests.definitions, place);
  await apply(manifests.webhooks);
  if (authority !== undefined) await storeCertificate(client, authority, signal);
  await apply(manifests.deployments);
  return counts;
};
