import { conditionOf, ConditionType } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { VerbContext } from "./author.ts";

/** Reason of the condition and the event of an object that came second. */
const ownedByAnotherReason = "OwnedByAnother";

/** The taken resource, its owner and the fix. */
export interface TakenThing {
  /** For example `the resource group team`. */
  readonly what: string;
  /** Kind, namespace and name; `undefined`: an object of another management cluster. */
  readonly owner: string | undefined;
  readonly mend: string;
}

const ownerForm = /^(\S+) ([^/\s]+)\/\S+$/;

/** An owner, for readers of one namespace: which objects there are in others they do not learn here. */
export const shownOwner = (owner: string, namespace: string | undefined): string => {
  const [, kind, place] = ownerForm.exec(owner) ?? [];
  return kind === undefined || place === namespace ? owner : `another namespace's ${kind}`;
};

/**
 * Returns the `failed` observation for a resource of another owner: the object touches it neither now nor on deletion.
 * Records a Warning event the first time. Checked again every minute, because the owner may go.
 */
export const ownedByAnother = <O extends KubeObject>(
  { event, object }: Pick<VerbContext<O, never>, "event" | "object">,
  { mend, owner, what }: TakenThing,
): { readonly reason: string; readonly message: string; readonly pollMs: number } => {
  const shown =
    owner === undefined ? "an object of another management cluster" : shownOwner(owner, object.metadata.namespace);
  const message = `${what} belongs to ${shown}; ${mend}`;
  const said = conditionOf(object, ConditionType.ready);
  if (said?.reason !== ownedByAnotherReason || said.message !== message) {
    event({ type: "Warning", reason: ownedByAnotherReason, message });
  }
  return { reason: ownedByAnotherReason, message, pollMs: 60_000 };
};
