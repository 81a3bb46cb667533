import { CapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { InventoryResource } from "../providers/clusterctl.ts";
import {
  deleteFound,
  DeploymentResource,
  installationOf,
  LeaseResource,
  nameOfObject,
  type FoundObject,
} from "./owned-kinds.ts";
import type { KubeObject } from "@capstan/schema";

const identity = (kind: string, { namespace, name }: KubeObject["metadata"]): string =>
  `${kind} ${namespace ?? ""}/${name ?? ""}`;

const identities = (wanted: readonly KubeObject[]): ReadonlySet<string> =>
  new Set(wanted.map(({ kind, metadata }) => identity(kind, metadata)));

/** Throws `installation.belongs_to_another` when something that is to be applied is another installation's. */
export const checkOwners = (
  owned: readonly FoundObject[],
  wanted: readonly KubeObject[],
  installation: string,
): void => {
  const names = identities(wanted);
  const others = owned.filter(
    ({ kind, object }) =>
      kind !== InventoryResource &&
      installationOf(object) !== installation &&
      names.has(identity(kind.kind, object.metadata)),
  );
  const [first] = others;
  if (first === undefined) return;
  throw new CapstanError({
    code: "installation.belongs_to_another",
    reason: "BelongsToAnother",
    message: `${nameOfObject(first)} belongs to the installation ${installationOf(first.object)}; choose another name with --installation`,
    retry: { kind: "never" },
  });
};

/**
 * Returns the objects that the installation owns but no longer needs. Leases, which managers acquire, are removed with
 * the installation.
 */
export const notNeeded = (
  owned: readonly FoundObject[],
  wanted: readonly KubeObject[],
  installation: string,
): readonly FoundObject[] => {
  const names = identities(wanted);
  return owned.filter(
    ({ kind, object }) =>
      kind !== LeaseResource &&
      installationOf(object) === installation &&
      !names.has(identity(kind.kind, object.metadata)),
  );
};

/** Throws `installation.deployment_lost` when the managers in the cluster would go and none are to come. */
export const checkDeployment = (stale: readonly FoundObject[], deployments: readonly KubeObject[]): void => {
  const lost = stale.find(({ kind }) => kind === DeploymentResource);
  if (lost === undefined || deployments.length > 0) return;
  throw new CapstanError({
    code: "installation.deployment_lost",
    reason: "DeploymentLost",
    message: `${nameOfObject(lost)} runs the managers of this installation; name their image with --image, or remove the Deployment with capstan install --remove`,
    retry: { kind: "never" },
  });
};

/** Deletes it; resolves to what that was. */
export const prune = async (
  client: Client,
  objects: readonly FoundObject[],
  signal: AbortSignal,
): Promise<readonly string[]> => {
  for (const found of objects) await deleteFound(client, found, signal);
  return objects.map(nameOfObject);
};
