import { shownOwner } from "@capstan/kit/engine";
import type { ArmCall } from "../arm/arm-client.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId, typeText } from "../arm/resource-id.ts";
import type { AzureApi, AzureResource } from "../cloud/azure-api.ts";
import { otherOwner } from "./belonging.ts";
import type { Claim } from "./belonging.ts";

interface Access {
  readonly api: AzureApi;
  readonly call: ArmCall;
}

/** Everything in a resource group, briefly. */
export const resourcesIn = async (
  { api, call }: Access,
  { apiVersion, id }: ResourceRef,
): Promise<readonly AzureResource[]> => (await api.list(`${id}/resources`, apiVersion, call)) ?? [];

/** Returns the resources with an owner other than the cluster. */
export const othersAmong = (resources: readonly AzureResource[], claim: Claim): readonly AzureResource[] =>
  resources.filter((resource) => otherOwner(resource, claim) !== undefined);

/** Type from an ID: `…/providers/Microsoft.Network/virtualNetworks/x`. */
const typeOf = ({ id }: AzureResource): string => id.split("/").at(-2) ?? "";

const shown = 5;

/** Why a group stays: whose resources are in it. */
export const whyItStays = (group: ResourceRef, others: readonly AzureResource[], claim: Claim): string => {
  const named = others
    .slice(0, shown)
    .map(
      (each) =>
        `${typeText(typeOf(each))} ${nameOfId(each.id)} of ${shownOwner(otherOwner(each, claim) ?? "", claim.owner.namespace)}`,
    )
    .join(", ");
  const more = others.length > shown ? ` and ${others.length - shown} more` : "";
  return `the resource group ${nameOfId(group.id)} is kept, because it has resources of other owners: ${named}${more}`;
};
