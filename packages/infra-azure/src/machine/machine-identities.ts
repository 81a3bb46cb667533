import type { ConditionInput } from "@capstan/contract/wire";
import { conditionOf } from "@capstan/contract/wire";
import { isJsonObject } from "@capstan/schema";
import { managedIdentityRef } from "../arm/resource-id.ts";
import { AzureFailure, AzureReason } from "../api/azure-conditions.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";

const service = "VMIdentities";

/** IDs of the user's identities that a machine has, in lower case. */
const identitiesOf = (vm: AzureResource): readonly string[] => {
  const { identity } = vm as { readonly identity?: unknown };
  const assigned = isJsonObject(identity) ? identity["userAssignedIdentities"] : undefined;
  return Object.keys(isJsonObject(assigned) ? assigned : {}).map((id) => id.toLowerCase());
};

/** IDs of identities that the spec names and a machine or a scale set has not. */
export const missingIdentities = (
  { userAssignedIdentities = [] }: Pick<DefaultedMachine, "userAssignedIdentities">,
  resource: AzureResource,
): readonly string[] => {
  const present = identitiesOf(resource);
  return userAssignedIdentities
    .map(({ providerID }) => managedIdentityRef(providerID).id)
    .filter((id) => !present.includes(id.toLowerCase()));
};

interface Known {
  readonly conditions: readonly ConditionInput[];
  /** That it stays so is a failure for programs that read the older contract. */
  readonly status: Readonly<Record<string, string>>;
}

/** Returns whether a machine has the identities that its spec names: one that someone removes is not given back. */
export const vmIdentities = (
  object: AzureMachine,
  { userAssignedIdentities = [] }: DefaultedMachine,
  vm: AzureResource,
): Known => {
  if (userAssignedIdentities.length === 0) return { conditions: [], status: {} };
  const missing = missingIdentities({ userAssignedIdentities }, vm);
  if (missing.length === 0) return { conditions: [serviceCondition(service, "ready")], status: {} };
  const message = `the virtual machine no longer has the identity ${missing.join(", ")}; reassign it at Azure, or delete the Machine`;
  const reason = AzureReason.userAssignedIdentityMissing;
  const condition: ConditionInput = { type: `${service}Ready`, status: "False", reason, message, severity: "Warning" };
  const wasMissing = conditionOf(object, `${service}Ready`)?.reason === reason;
  const status: Readonly<Record<string, string>> = wasMissing
    ? { failureReason: AzureFailure.unsupportedChange, failureMessage: message }
    : {};
  return { conditions: [condition], status };
};
