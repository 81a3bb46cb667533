import { clusterSecretType, isCapstanError, Label } from "@capstan/contract";
import { clusterSecretName, controllerOf, SecretResource, withOwnerReference } from "@capstan/contract/wire";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { secretBytes } from "../engine/credentials.ts";
import { besideCluster, type ClusterAccess, type SeenSecret } from "../roles/bootstrap/cluster-access.ts";
import {
  clusterSecretText,
  type ClusterSecretOptions,
  type SecretText,
} from "../roles/bootstrap/cluster-secret-text.ts";

/** The key of the Secret `<cluster>-<purpose>`. */
export const clusterSecretKey = (access: Pick<ClusterAccess, "cluster">, purpose: string): Required<ObjectKey> =>
  besideCluster(access, clusterSecretName(access.cluster.metadata.name ?? "", purpose));

/** Options for reading the Secrets of a Cluster. */
export interface ReadOptions {
  /** False skips the request for a Secret that is not cached, because the caller then creates it, which fails if it exists. Default true. */
  readonly confirm?: boolean;
}

/** Reads the Secret `<cluster>-<purpose>`, as it was last seen where the access remembers that; what was not seen is asked for. */
export const readClusterSecret = async (
  access: ClusterAccess,
  purpose: string,
  { confirm = true }: ReadOptions = {},
): Promise<SeenSecret | undefined> => {
  const key = clusterSecretKey(access, purpose);
  access.watchSecret?.(key);
  const seen = await access.seenSecret?.(key);
  if (seen !== undefined || (access.seenSecret !== undefined && !confirm)) return seen;
  const secret = await access.client.find(SecretResource, key, access.call);
  return secret && { secret, data: secretBytes(secret) };
};

/** Reads of the Cluster's Secrets that wake the reader when they change. Every `BootstrapContext` has them. */
export interface ClusterSecrets {
  /** The contents of the Secret `<cluster>-<purpose>`; throws as `findClusterSecret`. */
  clusterSecret(purpose: string): Promise<SecretText | undefined>;
}

/**
 * The contents of the Secret `<cluster>-<purpose>`, whether it was generated or supplied by a user; `undefined` when there is none. Throws
 * `bootstrap.cluster_secret_unmarked` when its type or label does not say that it is the cluster's.
 */
export const findClusterSecret = async (
  access: ClusterAccess,
  purpose: string,
  options: ClusterSecretOptions & ReadOptions = {},
): Promise<SecretText | undefined> => {
  const found = await readClusterSecret(access, purpose, options);
  return found && clusterSecretText(access.cluster, found.secret, found.data, options);
};

/**
 * Makes the Secret `<cluster>-<purpose>` with label, type and `owner`, and returns what it holds. If another client was
 * faster, its Secret is kept and returned.
 */
export const createClusterSecret = async (
  access: ClusterAccess,
  purpose: string,
  { data, owner }: { readonly data: SecretText; readonly owner: OwnerReference },
): Promise<SecretText> => {
  const object: KubeObject = {
    apiVersion: "v1",
    kind: SecretResource.kind,
    metadata: {
      ...clusterSecretKey(access, purpose),
      labels: { [Label.clusterName]: access.cluster.metadata.name ?? "" },
      ownerReferences: [owner],
    },
    type: clusterSecretType,
    stringData: data,
  };
  try {
    const made = await access.client.create(SecretResource, object, access.call);
    access.madeSecret?.(made);
    return data;
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    const present = await findClusterSecret(access, purpose);
    if (present === undefined) throw error;
    return present;
  }
};

/**
 * Gives the Secret `<cluster>-<purpose>` its owner back when it has no controller, as after a restored backup. Only generated Secrets,
 * which their type tells, are owned: a user's Secret stays unowned, and so does a Secret with another controller.
 */
export const ownClusterSecret = async (
  access: ClusterAccess,
  purpose: string,
  owner: OwnerReference,
): Promise<void> => {
  const secret = (await readClusterSecret(access, purpose))?.secret;
  if (secret === undefined || secret["type"] !== clusterSecretType || controllerOf(secret) !== undefined) return;
  const { ownerReferences, resourceVersion } = secret.metadata;
  const metadata = { ownerReferences: withOwnerReference(ownerReferences, owner), resourceVersion };
  const patch = { type: "merge", body: { metadata } } as const;
  await access.client.patch(SecretResource, clusterSecretKey(access, purpose), patch, access.call);
};
