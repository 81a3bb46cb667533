import { isCapstanError } from "@capstan/contract";
import { ConfigMapResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { installationLabel } from "../cluster/installation.ts";
import { InventoryResource } from "../providers/clusterctl.ts";
import { configurationKinds } from "../webhooks/webhook-clients.ts";

const rbac = (kind: string, plural: string, namespaced: boolean): Resource =>
  resource({ group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced });

export const DeploymentResource = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });

export const LeaseResource = resource({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
});

/**
 * Kinds of which an installation owns objects for itself, in the order in which they are deleted: what asks webhooks before what
 * serves them, managers before their rights. Definitions and the namespace are others' too.
 */
export const ownedKinds: readonly Resource[] = [
  ...configurationKinds,
  DeploymentResource,
  resource({ group: "", version: "v1", kind: "Service", plural: "services" }),
  LeaseResource,
  SecretResource,
  InventoryResource,
  rbac("ClusterRoleBinding", "clusterrolebindings", false),
  rbac("RoleBinding", "rolebindings", true),
  rbac("ClusterRole", "clusterroles", false),
  rbac("Role", "roles", true),
  resource({ group: "", version: "v1", kind: "ServiceAccount", plural: "serviceaccounts" }),
  ConfigMapResource,
];

/** An object that the API server has, with the kind by which it is reached. */
export interface FoundObject {
  readonly kind: Resource;
  readonly object: KubeObject;
}

/** Nothing where the server does not have the kind. */
export const orNone = async (
  found: Promise<{ readonly items: readonly KubeObject[] }>,
): Promise<readonly KubeObject[]> => {
  try {
    return (await found).items;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return [];
    throw error;
  }
};

/** Everything that any installation owns for itself, in the order of deletion. */
export const ownedObjects = async (client: Client, signal: AbortSignal): Promise<readonly FoundObject[]> => {
  const lists = await Promise.all(
    ownedKinds.map(async (kind) => {
      const items = await orNone(client.list(kind, { labelSelector: installationLabel, signal }));
      return items.map((object) => ({ kind, object }));
    }),
  );
  return lists.flat();
};

/** Whose an object is. */
export const installationOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[installationLabel];

/** Such as `ClusterRole capstan-core`, `Secret capstan-system/capstan-webhook`. */
export const nameOfObject = ({ kind, object: { metadata } }: FoundObject): string =>
  `${kind.kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name ?? ""}`;

/** Deletes exactly this object; one that is gone is no error. */
export const deleteFound = async (
  client: Client,
  { kind, object: { metadata } }: FoundObject,
  signal: AbortSignal,
): Promise<void> => {
  const { name = "", namespace, uid } = metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  await client.delete(kind, key, { ...(uid !== undefined && { preconditions: { uid } }), signal });
};
