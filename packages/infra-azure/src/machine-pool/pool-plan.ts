import { createHash } from "node:crypto";
import type { PoolVerbContext } from "@capstan/kit/machine";
import { canonicalJson } from "@capstan/schema";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { ClusterPlace } from "../cluster/place.ts";
import { placeOf, refs, requiredSpec } from "../cluster/place.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import { cloudProviderTag, mergedTags, resourceTags } from "../cluster/resource-tags.ts";
import type { DefaultedMachine, MachineSpec } from "../machine/machine-defaults.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { clusterOf, type MachineUses } from "../machine/machine-plan.ts";

export type PoolSpec = NonNullable<AzureMachinePool["spec"]>;
export type PoolContext = PoolVerbContext<AzureMachinePool, AzureApi, AzureCluster, MachineUses>;

/** Upstream's: of the custom data, which cannot be read back. */
export const dataTag = "capz-custom-data-hash";
/** Tag with the revision of the template. Machines keep the revision that they were made with. */
export const templateTag = "capstan-template";

/** The scale set that an object stands for. */
export interface PoolPlan {
  readonly place: ClusterPlace;
  readonly pool: PoolSpec;
  /** Spec that each machine is made from. */
  readonly spec: DefaultedMachine;
  readonly name: string;
  readonly set: ResourceRef;
  readonly isFlexible: boolean;
  readonly zones: readonly string[];
  /** Digest of the template and version that machines are made from. */
  readonly revision: string;
}

/** The spec of a pool's machines, as that of a machine alone. */
export const machineSpecOf = (pool: PoolSpec): DefaultedMachine => {
  const { identity, roleAssignmentName, systemAssignedIdentityRole, template, userAssignedIdentities } = pool;
  const { terminateNotificationTimeout: _, ...machine } = template;
  const given = { ...machine, identity, roleAssignmentName, systemAssignedIdentityRole, userAssignedIdentities };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return defaultedMachine(present as unknown as MachineSpec);
};

/** The spec of a pool with the defaults that need nothing else. */
export const defaultedPool = (pool: PoolSpec): PoolSpec => {
  const { terminateNotificationTimeout: minutes } = pool.template;
  const {
    identity,
    roleAssignmentName: _name,
    systemAssignedIdentityRole: _role,
    userAssignedIdentities: _ids,
    ...machine
  } = machineSpecOf(pool);
  const template = { ...machine, ...(minutes !== undefined && { terminateNotificationTimeout: minutes }) };
  return { ...pool, identity, template: template };
};

const revisionOf = (pool: PoolSpec, version: string | undefined): string =>
  createHash("sha256")
    .update(canonicalJson([machineSpecOf(pool), pool.template.terminateNotificationTimeout, version]))
    .digest("hex")
    .slice(0, 16);

/** Returns the plan of a pool at a place: its parts and their names. */
export const planOfPool = (
  object: AzureMachinePool,
  {
    place,
    version,
    zones,
  }: { readonly place: ClusterPlace; readonly version: string | undefined; readonly zones: readonly string[] },
): PoolPlan => {
  const pool = requiredSpec<PoolSpec>(object);
  const additional = mergedTags(place.tags.additional, pool.additionalTags);
  const name = object.metadata.name ?? "";
  return {
    place: { ...place, tags: { ...place.tags, additional } },
    pool,
    spec: machineSpecOf(pool),
    name,
    set: refs.scaleSet(place, name),
    isFlexible: pool.orchestrationMode === "Flexible",
    zones,
    revision: revisionOf(pool, version),
  };
};

/** The plan of the pool that a controller works on. */
export const poolPlan = (context: PoolContext): PoolPlan => {
  const { api, cluster, failureDomains, identity, object, version } = context;
  const place = placeOf({ object: clusterOf(context), cluster, identity, subscription: api.subscription });
  return planOfPool(object, { place, version, zones: failureDomains });
};

/** By what the image of its machines is chosen, where the spec names none. */
export const imageFacts = ({ object, version }: Pick<PoolContext, "object" | "version">) => ({
  version,
  windowsServerVersion: object.metadata.annotations?.["windowsServerVersion"],
});

/** The tags of the scale set that anybody may change. */
export const resourceTagsOf = ({ name, place }: Pick<PoolPlan, "name" | "place">): Tags => ({
  ...resourceTags(place.tags, { name, role: "node" }),
  ...cloudProviderTag(place.clusterName),
});

/** The tags of the scale set, and of machines that it makes from now on. */
export const poolTags = (plan: PoolPlan, digest: string | undefined): Tags => ({
  ...resourceTagsOf(plan),
  [templateTag]: plan.revision,
  ...(digest !== undefined && { [dataTag]: digest }),
});
