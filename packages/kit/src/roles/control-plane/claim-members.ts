import { isCapstanError } from "@capstan/contract";
import { controllerOf, isControlPlane } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { isBeingDeleted } from "@capstan/kube-values";
import { claimMachines } from "../../machines/claim.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { isControlledBy } from "../../objects/adopt-orphan.ts";
import { listLive } from "../../objects/list-live.ts";
import { machineSelector } from "./status.ts";
import { machinesOfCluster } from "./surroundings.ts";
import type { Turn } from "./turn.ts";
import { authorContext, mixedManagement, takeIn } from "./turn.ts";
import { ControlPlaneReason } from "./reasons.ts";

const minorOf = (version = ""): { readonly major: number; readonly minor: number } => {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
  return { major: Number(major), minor: Number(minor) };
};

/** Returns whether a Machine of this version can be one of a control plane of that; one that has none can. */
const isNear = (version: string | undefined, wanted: string | undefined): boolean => {
  const [mine, theirs] = [minorOf(version), minorOf(wanted)];
  return version === undefined || (mine.major === theirs.major && Math.abs(mine.minor - theirs.minor) <= 1);
};

/** Why an orphan cannot become one of the control plane's Machines. */
const obstacle = <O extends KubeObject>({ author, desired }: Turn<O>, { spec }: Machine): string | undefined => {
  const { configRef } = spec.bootstrap;
  const { group, kind } = author.configKind;
  if (configRef?.kind !== kind || configRef.apiGroup !== group) return `its bootstrap config is not a ${kind}`;
  return isNear(spec.version, desired.version)
    ? undefined
    : `its version ${spec.version} is more than one minor version away from ${desired.version}`;
};

const mayAdopt =
  <O extends KubeObject>(turn: Turn<O>) =>
  async (orphan: Machine): Promise<boolean> => {
    const why = obstacle(turn, orphan);
    if (why === undefined) {
      await turn.author.beforeAdoption?.({ ...authorContext(turn), machine: orphan });
      return true;
    }
    const message = `Could not adopt Machine ${orphan.metadata.name}: ${why}`;
    turn.context.event({ type: "Warning", reason: ControlPlaneReason.adoptionFailed, message });
    return false;
  };

/** The control plane's own Machines out of all of its Cluster's; orphans among them are adopted. */
const claim = async <O extends KubeObject>(turn: Turn<O>, all: readonly Machine[]): Promise<void> => {
  const { object } = turn.context.changes;
  const machines = all.filter(isControlPlane);
  const foreign = machines.find(
    (machine) => controllerOf(machine) !== undefined && !isControlledBy(machine, object) && !isBeingDeleted(machine),
  );
  const by = foreign === undefined ? undefined : controllerOf(foreign);
  if (foreign !== undefined && by !== undefined) throw mixedManagement(object, foreign, `${by.kind} ${by.name}`);
  const { context, maker } = turn.making;
  await takeIn(turn, await claimMachines(context, maker, machines, mayAdopt(turn)));
};

/** Takes in the Machines of the control plane as the cache shows them. */
export const claimSeen = async <O extends KubeObject>(turn: Turn<O>): Promise<void> =>
  claim(turn, machinesOfCluster(turn.context.environment.cache, turn.context.cluster));

/**
 * The same as the API server has them, before one is made or deleted: however old the cache is, no Machine is made twice, and none is
 * deleted for one that is gone already.
 */
export const claimLive = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { context, maker } = turn.making;
  const { namespace } = maker.object.metadata;
  const selector = machineSelector(maker.clusterName);
  await claim(turn, await listLive(context, Machines, { namespace, selector }));
};

/** A Machine that went away meanwhile, or was written by others, is looked at again when that is seen. */
export const isPassing = (error: unknown): boolean =>
  isCapstanError(error, "kube.conflict") || isCapstanError(error, "kube.not_found");
