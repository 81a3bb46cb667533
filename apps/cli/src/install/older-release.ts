import { isCapstanError } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { listMetadata, type Client, type MetadataObject } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { hasOlderName, leasesOf, webhookSecretName, type Share } from "../cluster/installation.ts";
import { configurationKinds } from "../webhooks/webhook-clients.ts";
import { LeaseResource, installationOf } from "./owned-kinds.ts";

/** Managers of which older releases named Lease, Secret and webhook configurations after the list of providers. */
export interface OlderManagers extends Share {
  readonly installation: string;
  readonly systemNamespace: string;
  readonly providers: readonly string[];
}

/** Where one may look: managers see Leases, and configurations where they serve webhooks; administrators see all. */
export type Sight = "leases" | "configurations" | "all";

const visible = async (
  client: Client,
  kind: Resource,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly MetadataObject[]> =>
  (await listMetadata(client, kind, { ...(namespace !== undefined && { namespace }), signal })).items;

const secretSuffix = webhookSecretName("");

/** The names under which older releases kept what is these managers' now; from a Secret, that of its Lease. */
export const findOlder = async (
  client: Client,
  { providers, systemNamespace, ...share }: OlderManagers,
  signal: AbortSignal,
  sight: Sight = "all",
): Promise<readonly string[]> => {
  const look = async (kind: Resource, namespace?: string, suffix = ""): Promise<readonly string[]> =>
    (await visible(client, kind, namespace, signal)).flatMap((object) => {
      const { name = "" } = object.metadata;
      if (installationOf(object) !== undefined || !name.endsWith(suffix)) return [];
      const older = name.slice(0, name.length - suffix.length);
      return hasOlderName(older, providers, share) ? [older] : [];
    });
  const found = await Promise.all([
    look(LeaseResource, systemNamespace),
    ...(sight === "all" ? [look(SecretResource, systemNamespace, secretSuffix)] : []),
    ...(sight === "leases" ? [] : configurationKinds.map((kind) => look(kind))),
  ]);
  return [...new Set(found.flat())].toSorted();
};

const remove = async (
  client: Client,
  kind: Resource,
  name: string,
  options: {
    readonly namespace?: string;
    readonly signal: AbortSignal;
  },
): Promise<boolean> => {
  const { namespace, signal } = options;
  try {
    const key = { name, ...(namespace !== undefined && { namespace }) };
    const found = await client.find(kind, key, { signal });
    if (found === undefined || installationOf(found) !== undefined) return false;
    const { uid = "" } = found.metadata;
    await client.delete(kind, key, { preconditions: { uid }, signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.forbidden")) return false;
    throw error;
  }
};

/** Removes configurations of older releases once the new ones are there, which ask about the same kinds and trust whatever serves. */
export const removeOlderConfigurations = async (
  client: Client,
  names: readonly string[],
  { installation }: Pick<OlderManagers, "installation">,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const removed: string[] = [];
  if (names.length === 0) return removed;
  const present = await Promise.all(configurationKinds.map((kind) => visible(client, kind, undefined, signal)));
  if (!present.flat().some(({ metadata }) => metadata.name === installation)) return removed;
  for (const name of names) {
    for (const kind of configurationKinds) {
      if (await remove(client, kind, name, { signal })) removed.push(`${kind.kind} ${name}`);
    }
  }
  return removed;
};

/**
 * Removes the Leases and Secrets of older releases, for who leads under the new Leases and has seen that no one holds the old ones;
 * what it may not remove stays. Until then managers of the older release read the Secret.
 */
export const removeOlderState = async (
  client: Client,
  names: readonly string[],
  { installation, providers, systemNamespace: namespace, ...share }: OlderManagers,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const own = new Set(leasesOf(installation, providers, share).map(({ name }) => name));
  const removed: string[] = [];
  for (const name of names) {
    const secret = webhookSecretName(name);
    const options = { namespace, signal };
    if (await remove(client, SecretResource, secret, options)) removed.push(`Secret ${namespace}/${secret}`);
    if (!own.has(name) && (await remove(client, LeaseResource, name, options))) {
      removed.push(`Lease ${namespace}/${name}`);
    }
  }
  return removed;
};
