import type { Handled } from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import { isChanging } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { isOwned } from "../cluster/belonging.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan } from "./machine-plan.ts";

/** Name of the step for a machine that was deleted at Azure. */
export const leaveBalancersStep = "leave load balancers";

type Json = Readonly<Record<string, unknown>>;

/** By which a configuration of an interface is behind load balancers. */
const memberships = ["loadBalancerBackendAddressPools", "loadBalancerInboundNatRules"] as const;

const configurationsIn = ({ properties }: AzureResource): readonly Json[] => {
  const list = properties?.["ipConfigurations"];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

const isMember = (properties: unknown): boolean =>
  isJsonObject(properties) &&
  memberships.some((field) => Array.isArray(properties[field]) && (properties[field] as readonly unknown[]).length > 0);

/** The machine's own interfaces that load balancers still count among their backends. */
export const balancedInterfaces = async (
  { api, call }: MachineContext,
  { interfaces, place }: MachinePlan,
): Promise<readonly { readonly ref: ResourceRef; readonly found: AzureResource }[]> => {
  const all = await Promise.all(interfaces.map(async ({ ref }) => ({ ref, found: await api.find(ref, call) })));
  return all.flatMap(({ found, ref }) => {
    if (found === undefined || isChanging(found) || found.properties?.["virtualMachine"] !== undefined) return [];
    const isOwn = tagOf(found, place.tags.label.key) === place.tags.label.value || isOwned(found, place.claim);
    return isOwn && configurationsIn(found).some(({ properties }) => isMember(properties)) ? [{ ref, found }] : [];
  });
};

const withoutMemberships = (properties: unknown): Json =>
  Object.fromEntries(
    Object.entries(isJsonObject(properties) ? properties : {}).filter(
      ([field]) => !memberships.some((each) => each === field),
    ),
  );

/** Takes the interfaces of a machine that is gone out of pools and rules; they go themselves with its object. */
export const leaveBalancers = async (context: MachineContext & Handled): Promise<void> => {
  const { api, call, operations } = context;
  for (const { found, ref } of await balancedInterfaces(context, machinePlan(context))) {
    const ipConfigurations = configurationsIn(found).map(({ properties, ...configuration }) => ({
      ...configuration,
      properties: withoutMemberships(properties),
    }));
    const body = { ...found, properties: { ...found.properties, ipConfigurations } };
    await operations.start(`update ${found.name ?? ""}`, () => api.put(ref, body, call, { present: found }));
  }
};
