import { CapstanError } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Waiting } from "../../engine/author.ts";
import type { ObjectSaver } from "../../engine/save/object-saver.ts";
import type { ExternalObjects } from "../../external/external-objects.ts";
import type { Machine } from "../../machines/machine.ts";
import type { Making } from "../../machines/maker.ts";
import type { MachineSync } from "../../machines/sync.ts";
import { boundContext } from "../../objects/bound-client.ts";
import { asAccount, workloadClusters } from "../../workload/workload-clusters.ts";
import type { ControlPlaneAuthor, ControlPlaneContext, DesiredControlPlane } from "./author.ts";
import { makerOf } from "./maker.ts";
import { readMembers } from "./read-members.ts";
import { ControlPlaneReason } from "./reasons.ts";
import type { Context } from "./surroundings.ts";

/** Shared by the control planes of one kind. */
export interface Shared<O extends KubeObject> {
  readonly author: ControlPlaneAuthor<O>;
  readonly externals: ExternalObjects;
  readonly sync: MachineSync;
  /** Saves what is said on Machines, which are core's own objects. */
  readonly machineSaver: ObjectSaver<Machine>;
}

/** One reconcile of one control plane object. */
export interface Turn<O extends KubeObject> extends Shared<O> {
  readonly context: Context<O>;
  readonly desired: DesiredControlPlane;
  readonly making: Making;
}

/** A reconcile of a control plane object begins. */
export const turnOf = <O extends KubeObject>(shared: Shared<O>, context: Context<O>): Turn<O> => {
  const { author, externals } = shared;
  const { cluster } = context;
  const { object } = context.changes;
  const desired = author.desired(object);
  const maker = makerOf(author, { object, cluster, desired });
  return { ...shared, context, desired, making: { context: boundContext(context.environment), externals, maker } };
};

/** Takes in Machines as they are by now. */
export const takeIn = async <O extends KubeObject>(turn: Turn<O>, machines: readonly Machine[]): Promise<void> => {
  const { author, context, desired, making } = turn;
  const { round } = context;
  const broken = new Set(round.health?.broken);
  const members = await readMembers(author, making, { object: context.changes.object, desired }, machines);
  round.machines = machines;
  round.members = members.map((member) => ({ ...member, broken: broken.has(member.machine.metadata.name ?? "") }));
};

/** Context of the author's functions. */
export const authorContext = <O extends KubeObject>({ author, context, making }: Turn<O>): ControlPlaneContext<O> => {
  const { changes, cluster, identity, log, clock, random, call, round } = context;
  return {
    object: changes.object,
    identity,
    log,
    clock,
    random,
    call,
    event: (event) => context.event(event),
    readSecret: (ref) => context.readSecret(ref),
    cluster,
    initialized: round.initialized,
    members: round.members,
    client: making.context.client,
    seenSecret: (key) => context.secrets.read(key, keyOf(changes.object), context.environment),
    madeSecret: (secret) => context.secrets.created(secret, context.environment),
    workload: async () =>
      asAccount(context.environment.service(workloadClusters), author.workload).get(keyOf(cluster)).client,
    condition: (condition) => changes.condition(condition),
    status: (fields) => changes.mergeStatus(fields),
  };
};

/** Notes why everything waits; true when it does. */
export const waits = <O extends KubeObject>({ context: { round } }: Turn<O>, waiting: Waiting | void): boolean => {
  if (waiting === undefined) return false;
  round.waiting = waiting;
  return true;
};

/** Machines that go are held, because too few others would be left that are healthy. */
export const isHeld = <O extends KubeObject>({ context: { round } }: Turn<O>): boolean =>
  round.waiting?.reason === ControlPlaneReason.waitingForQuorum;

/** Looks again after a time at the latest. */
export const lookAgain = <O extends KubeObject>({ context: { round } }: Turn<O>, ms: number): void => {
  round.requeueAfterMs = Math.min(ms, round.requeueAfterMs ?? ms);
};

/** Machines of one Cluster's control plane have several masters, which no one can keep apart. */
export const mixedManagement = (object: KubeObject, machine: Machine, by: string): CapstanError =>
  new CapstanError({
    code: "kit.control_plane_mixed",
    reason: "MixedManagement",
    message: `Machine ${machine.metadata.namespace}/${machine.metadata.name} of the control plane belongs to ${by}, not to ${object.kind} ${object.metadata.name}; delete it, or remove its control-plane label`,
  });
