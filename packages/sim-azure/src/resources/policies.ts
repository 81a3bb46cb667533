import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { Policy, World } from "../world.ts";

const sizeOf = ({ type, outer, properties }: StoredResource): string | undefined =>
  /\/virtualMachineScaleSets$/i.test(type)
    ? (outer["sku"] as { readonly name?: string } | undefined)?.name
    : (properties["hardwareProfile"] as { readonly vmSize?: string } | undefined)?.vmSize;

const allows = ({ locations, requiredTags = [], types, vmSizes }: Policy, resource: StoredResource): boolean => {
  if (types !== undefined && !types.some((type) => same(type, resource.type))) return true;
  const { location, tags = {} } = resource;
  const size = sizeOf(resource);
  return (
    (locations === undefined || location === "global" || locations.some((each) => same(each, location))) &&
    requiredTags.every((name) => Object.keys(tags).some((each) => same(each, name))) &&
    (vmSizes === undefined || size === undefined || vmSizes.some((each) => same(each, size)))
  );
};

/** Refuses what a policy of the subscription does not allow. */
export const checkPolicies = (resource: StoredResource, { policies }: World): void => {
  const denying = policies.find((policy) => !allows(policy, resource));
  if (denying === undefined) return;
  throw refusal(
    403,
    "RequestDisallowedByPolicy",
    `Resource '${resource.name}' was disallowed by policy. Policy identifiers: '[{"policyAssignment":{"name":"${denying.name}"}}]'.`,
    resource.name,
  );
};
