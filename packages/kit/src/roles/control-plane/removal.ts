import { isCapstanError } from "@capstan/contract";
import { isControlPlane, MachinePoolResource } from "@capstan/contract/wire";
import { machine as machineFields } from "@capstan/contract/wire";
import { byText, isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Waiting } from "../../engine/author.ts";
import { deleteMachines } from "../../machines/delete-machines.ts";
import { hooksOf } from "./maker.ts";
import { byAge } from "./member.ts";
import { machinesOfCluster } from "./surroundings.ts";
import { dropHooks } from "./terminate.ts";
import type { Turn } from "./turn.ts";
import { takeIn } from "./turn.ts";
import { ControlPlaneReason } from "./reasons.ts";

const shownNames = 5;

const list = (kind: string, objects: readonly KubeObject[]): readonly string[] => {
  if (objects.length === 0) return [];
  const names = objects.map(({ metadata }) => metadata.name ?? "").sort(byText);
  const more = names.length > shownNames ? `, ... (${names.length - shownNames} more)` : "";
  return [`* ${kind}s: ${names.slice(0, shownNames).join(", ")}${more}`];
};

/** Pools of the Cluster; none where the API server does not know the kind. */
const poolsOf = async <O extends KubeObject>({ making }: Turn<O>): Promise<readonly KubeObject[]> => {
  const { maker, context } = making;
  const { namespace = "" } = maker.object.metadata;
  try {
    const { items } = await context.client.list(MachinePoolResource, { namespace });
    return items.filter((pool) => machineFields.clusterName.get(pool) === maker.clusterName);
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return [];
    throw error;
  }
};

/** The control plane outlives its workers, which it drains. */
const workersLeft = async <O extends KubeObject>(turn: Turn<O>): Promise<Waiting | undefined> => {
  const { cluster, environment } = turn.context;
  const workers = machinesOfCluster(environment.cache, cluster).filter((machine) => !isControlPlane(machine));
  const lines = [...list("Machine", workers), ...list("MachinePool", await poolsOf(turn))];
  return lines.length === 0
    ? undefined
    : { reason: ControlPlaneReason.waitingForWorkersDeletion, message: lines.join("\n") };
};

/** The objects that a deletion still waits for. */
export type Leaving = { readonly state: "gone" } | { readonly state: "waits" | "removes"; readonly waiting: Waiting };

/** Returns the stage of a control plane's deletion: workers first, then its Machines. */
export const removalState = async <O extends KubeObject>(turn: Turn<O>): Promise<Leaving> => {
  const { machines, removed } = turn.context.round;
  if (machines.length === 0) return { state: "gone" };
  const hooks = hooksOf(turn.author);
  const isHeld = ({ metadata }: KubeObject): boolean =>
    hooks.some((hook) => metadata.annotations?.[hook] !== undefined);
  const waiting = {
    reason: ControlPlaneReason.waitingForMachineDeletion,
    message: list("Machine", machines).join("\n"),
  };
  // Once all of them go, nothing that is found out about workers would keep them.
  const allGo = removed || machines.every((machine) => !isHeld(machine) && isBeingDeleted(machine));
  if (allGo) return { state: "waits", waiting };
  const workers = await workersLeft(turn);
  return workers === undefined ? { state: "removes", waiting } : { state: "waits", waiting: workers };
};

/** Lets all Machines go and deletes them: the cluster ends, so no one has to leave it in order. The newest is asked first. */
export const removeAll = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { round } = turn.context;
  await takeIn(turn, round.machines);
  const newestFirst = round.members.toSorted(byAge).toReversed();
  await dropHooks(
    turn,
    newestFirst.map(({ machine }) => machine),
  );
  await deleteMachines(
    turn.making,
    newestFirst.flatMap(({ machine }) => (isBeingDeleted(machine) ? [] : [machine])),
  );
  round.removed = true;
};
