import { conditionOf, ConditionType } from "@capstan/contract/wire";
import { logOwner, shownOwner } from "@capstan/kit/engine";
import { AzureReason } from "../api/azure-conditions.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { otherOwner } from "./belonging.ts";
import type { Claim } from "./belonging.ts";

interface TakenName {
  readonly taken: AzureResource;
  readonly claim: Claim;
  /** For example `the VM m`. */
  readonly what: string;
}

/** Returns whose a resource is, for the message of an object that needs its name; the log names an owner that the message withholds, once. */
export const ownerOfTaken = (context: Parameters<typeof logOwner>[0], { claim, taken, what }: TakenName): string => {
  const owner = otherOwner(taken, claim);
  if (owner === undefined) return "somebody else";
  if (conditionOf(context.object, ConditionType.ready)?.reason !== AzureReason.nameTaken) {
    logOwner(context, { owner, what });
  }
  return shownOwner(owner, claim.owner.namespace);
};
