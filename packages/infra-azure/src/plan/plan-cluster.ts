import type { PlanItemV1, PlannedResourceV1 } from "@capstan/contract/v1";
import { shownOwner } from "@capstan/kit/engine";
import { provisioningStateOf } from "../arm/operation.ts";
import { nameOfId, typeText } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { zonesOf } from "../cloud/skus.ts";
import { takenField } from "../cluster/observe-cluster.ts";
import { takenBy } from "../cluster/part.ts";
import { partWaves } from "../cluster/cluster-parts.ts";
import type { ClusterPlace } from "../cluster/place.ts";
import { refs } from "../cluster/place.ts";
import { isOwned } from "../cluster/belonging.ts";
import type { PlanEnvironment, Planned } from "./plan-environment.ts";
import { plannedPlace } from "./plan-environment.ts";
import { priceOfPart } from "./prices.ts";

type Part = ReturnType<typeof partWaves>[number][number];

/** Returns the action that a controller would take on a part: create, change or keep. */
const actionOf = (
  { differs }: Part,
  present: AzureResource | undefined,
  isOurs: boolean,
): Pick<PlannedResourceV1, "action" | "drift"> => {
  if (present === undefined) return { action: "create" };
  if (!isOurs) return { action: "keep" };
  if (provisioningStateOf(present) === "Failed") return { action: "change", drift: "its state at Azure is Failed" };
  return { action: differs?.(present) === true ? "change" : "keep" };
};

const whole = async (item: PlanItemV1, place: ClusterPlace, { api, call }: PlanEnvironment): Promise<Planned> => {
  const object = item.after ?? item.before!;
  const group = await api.find(refs.group(place), call);
  const find: PlanEnvironment["api"]["find"] = async (ref, options) =>
    group === undefined ? undefined : api.find(ref, options);
  const network = await find(refs.network(place), call);
  const isNetworkOurs = network === undefined || isOwned(network, place.claim);
  const failureDomains = zonesOf(await api.skus(place.spec.location, call));
  const parts = partWaves(place, { failureDomains }, isNetworkOurs).flat();
  const problems: string[] = [];
  const resources = await Promise.all(
    parts.map(async (part): Promise<PlannedResourceV1> => {
      const present = part.ref.id === refs.group(place).id ? group : await find(part.ref, call);
      const isOurs = present?.tags === undefined || isOwned(present, place.claim);
      const at = { object, type: typeText(part.ref.type), name: nameOfId(part.ref.id), count: 1 };
      const taker = present && takenBy(part, present, place);
      if (taker !== undefined) {
        const owner = shownOwner(taker, object.metadata.namespace);
        problems.push(`the ${at.type} ${at.name} belongs to ${owner}; choose another ${takenField(part)}`);
        return { ...at, action: "keep", description: `of ${owner}` };
      }
      const description = isOurs ? `in ${place.spec.location}` : "of another owner, used as is";
      const price = isOurs ? priceOfPart(part.ref.type) : undefined;
      return { ...at, description, ...actionOf(part, present, isOurs), ...(price && { price }) };
    }),
  );
  return { resources, problems };
};

/** A resource group that was made for the cluster goes with everything in it; else what is the cluster's own. */
const leaving = async (item: PlanItemV1, place: ClusterPlace, { api, call }: PlanEnvironment): Promise<Planned> => {
  const object = item.before!;
  const group = await api.find(refs.group(place), call);
  if (group === undefined) return { resources: [], problems: [] };
  const isOurs = isOwned(group, place.claim);
  const description = isOurs ? "with everything in it" : "the cluster's resources in it";
  const at = { object, type: "resource group", name: place.spec.resourceGroup, count: 1, description };
  return { resources: [{ ...at, action: isOurs ? "delete" : "change" }], problems: [] };
};

/** The resource group and network of an AzureCluster. */
export const planCluster = (item: PlanItemV1, environment: PlanEnvironment): Promise<Planned> => {
  const place = plannedPlace(environment, environment.cluster, item.additional);
  return item.after === undefined ? leaving(item, place, environment) : whole(item, place, environment);
};
