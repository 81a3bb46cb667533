import { resourceById } from "../../resources/find.ts";
import type { OperationError, StoredOperation } from "../../state.ts";
import type { World } from "../../world.ts";
import { preempted } from "../../operations/operations.ts";

const changing = new Set(["Creating", "Updating", "Deleting"]);

/** Why something that an operation waited for failed since it began. */
const failureOf = (ids: readonly string[], started: number, world: World): OperationError | undefined =>
  world.state.operations.find(
    (each) =>
      each.status === "Failed" &&
      each.error?.code !== preempted.code &&
      each.started >= started &&
      ids.some((id) => each.target === id || each.target.startsWith(`${id}/extensions/`)),
  )?.error;

const isPending = ({ waitsFor = [] }: StoredOperation, world: World): boolean =>
  waitsFor.some((id) => changing.has(resourceById(id, world)?.state ?? ""));

/** Ends the operations that wait for machines which no longer change. */
export const settleOperations = (world: World): void => {
  for (const operation of world.state.operations) {
    const { waitsFor, status, id, started, verb } = operation;
    if (status !== "InProgress" || waitsFor === undefined || isPending(operation, world)) continue;
    world.operations.complete(id, verb === "DELETE" ? undefined : failureOf(waitsFor, started, world));
  }
};

/** Lets an operation wait for machines; what has nothing to wait for is over soon. */
export const waitFor = (operation: StoredOperation, ids: readonly string[], world: World): void => {
  operation.waitsFor = ids;
  if (isPending(operation, world)) return;
  delete operation.waitsFor;
  world.operations.finishAfter(operation.id, world.delays.networkMs);
};
