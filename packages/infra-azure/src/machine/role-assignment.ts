import { createHash } from "node:crypto";
import { isCapstanError } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { conditionOf } from "@capstan/contract/wire";
import { isJsonObject } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import { findVm } from "./find-vm.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan } from "./machine-plan.ts";

const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const apiVersion = "2022-04-01";
const type = "Microsoft.Authorization/roleAssignments";
const service = "RoleAssignment";

/** Role of a machine's identity, and its assignment, whose ID begins with the scope. */
interface PlannedRole {
  readonly ref: ResourceRef;
  readonly definition: string;
}

/** Plan of a resource with an identity: a machine, or a scale set. */
type RolePlan = Pick<MachinePlan, "place" | "spec">;
type RoleContext = Pick<MachineContext, "api" | "call" | "identity"> & { readonly object: KubeObject };

/** The same UUID for the same text, so that a second try assigns nothing twice. */
const uuidOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
};

const given = (text: string | undefined, otherwise: string): string =>
  text === undefined || text === "" ? otherwise : text;

/** Machines with an identity of their own have a role, under a name that stays the same when they are moved: Contributor for the subscription where the spec says no other. */
const plannedRole = ({ identity }: RoleContext, { place, spec }: RolePlan): PlannedRole | undefined => {
  if (spec.identity !== "SystemAssigned") return undefined;
  const subscription = `/subscriptions/${place.subscription}`;
  const { definitionID, name, scope } = spec.systemAssignedIdentityRole ?? {};
  const definition = given(
    definitionID,
    `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${contributor}`,
  );
  const at = given(scope, subscription).replace(/\/+$/, "");
  const own = given(
    name,
    given(spec.roleAssignmentName, uuidOf(`${identity.owner.id}/${at}/${definition}`.toLowerCase())),
  );
  return { ref: { type, apiVersion, id: `${at}/providers/${type}/${own}` }, definition };
};

/** Returns whether the identity of a machine has its role. What was seen once is not asked for again. */
export const roleOf = async (
  context: RoleContext,
  plan: RolePlan,
): Promise<{ readonly conditions: readonly ConditionInput[]; readonly isDue: boolean }> => {
  const role = plannedRole(context, plan);
  if (role === undefined) return { conditions: [], isDue: false };
  const { api, call, object } = context;
  const wasSeen = conditionOf(object, `${service}Ready`)?.status === "True";
  const isThere = wasSeen || (await api.find(role.ref, call)) !== undefined;
  return { conditions: [serviceCondition(service, isThere ? "ready" : "creating")], isDue: !isThere };
};

const principalOf = (vm: AzureResource | undefined): string | undefined => {
  const { identity } = (vm ?? {}) as { readonly identity?: unknown };
  const id = isJsonObject(identity) ? identity["principalId"] : undefined;
  return typeof id === "string" ? id : undefined;
};

/** An assignment of the same role to the same identity, by whatever name. */
const isAssigned = (error: unknown): boolean =>
  isCapstanError(error) && error.details["armCode"] === "RoleAssignmentExists";

/** Gives the identity of a machine or a scale set its role. */
export const giveRole = async (
  context: RoleContext,
  plan: RolePlan,
  resource: AzureResource | undefined,
): Promise<void> => {
  const { api, call } = context;
  const role = plannedRole(context, plan);
  const principalId = principalOf(resource);
  if (role === undefined || principalId === undefined) return;
  const properties = { principalId, roleDefinitionId: role.definition, principalType: "ServicePrincipal" };
  try {
    await api.put(role.ref, { properties }, call);
  } catch (error) {
    if (!isAssigned(error)) throw error;
  }
};

/** Gives the identity of a machine its role. */
export const assignRole = async (context: MachineContext): Promise<void> => {
  const plan = machinePlan(context);
  await giveRole(context, plan, await findVm(context, plan));
};
