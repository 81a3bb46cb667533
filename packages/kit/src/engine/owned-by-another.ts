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

/** An owner, for readers of one namespace: which objects there are in others they do not learn here, see `logOwner`. */
export const shownOwner = (owner: string, namespace: string | undefined): string => {
  const [, kind, place] = ownerForm.exec(owner) ?? [];
  return kind === undefined || place === namespace ? owner : `another namespace's ${kind}`;
};

/**
 * Names the owner of a resource in the manager's log, for the administrator, where `shownOwner` withholds it from the reader of a
 * namespace. Called once for each new message. `what`: for example `the resource group team`.
 */
export const logOwner = <O extends KubeObject>(
  { log, object }: Pick<VerbContext<O, never>, "log" | "object">,
  { owner, what }: Pick<TakenThing, "owner" | "what">,
): void => {
  if (owner === undefined || shownOwner(owner, object.metadata.namespace) === owner) return;
  log.warn("a resource belongs to an object in another namespace", { resource: what, owner });
};

/**
 * Returns the `failed` observation for a resource of another owner: the object touches it neither now nor on deletion.
 * Records a Warning event the first time, and logs the owner where the message withholds it. Checked again every minute, because the
 * owner may go.
 */
export const ownedByAnother = <O extends KubeObject>(
  { event, log, object }: Pick<VerbContext<O, never>, "event" | "log" | "object">,
  { mend, owner, what }: TakenThing,
): { readonly reason: string; readonly message: string; readonly pollMs: number } => {
  const shown =
    owner === undefined ? "an object of another management cluster" : shownOwner(owner, object.metadata.namespace);
  const message = `${what} belongs to ${shown}; ${mend}`;
  const said = conditionOf(object, ConditionType.ready);
  if (said?.reason !== ownedByAnotherReason || said.message !== message) {
    event({ type: "Warning", reason: ownedByAnotherReason, message });
    logOwner({ log, object }, { owner, what });
  }
  return { reason: ownedByAnotherReason, message, pollMs: 60_000 };
};
