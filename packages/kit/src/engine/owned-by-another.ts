import { conditionOf, ConditionType } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { VerbContext } from "./author.ts";

/** Reason of the condition and the event of an object that came second. */
export const ownedByAnotherReason = "OwnedByAnother";

/** What is taken, who has it, and the way out. */
export interface TakenThing {
  /** For example `the resource group team`. */
  readonly what: string;
  /** Kind, namespace and name; `undefined`: an object of another management cluster. */
  readonly owner: string | undefined;
  readonly mend: string;
}

/**
 * What `observe` says, as `failed`, when a thing is another owner's: the object touches it neither now nor when it is deleted. Records a
 * Warning event the first time. Looked at again every minute, because the owner may go.
 */
export const ownedByAnother = <O extends KubeObject>(
  { event, object }: Pick<VerbContext<O, never>, "event" | "object">,
  { mend, owner, what }: TakenThing,
): { readonly reason: string; readonly message: string; readonly pollMs: number } => {
  const message = `${what} belongs to ${owner ?? "an object of another management cluster"}; ${mend}`;
  const said = conditionOf(object, ConditionType.ready);
  if (said?.reason !== ownedByAnotherReason || said.message !== message) {
    event({ type: "Warning", reason: ownedByAnotherReason, message });
  }
  return { reason: ownedByAnotherReason, message, pollMs: 60_000 };
};
