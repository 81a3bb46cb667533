import { cluster as clusterFields, isValidEndpoint } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { syncMachines } from "../../machines/sync.ts";
import { ownTemplate } from "../../machines/template.ts";
import { asAccount, workloadClusters } from "../../workload/workload-clusters.ts";
import { claimSeen } from "./claim-members.ts";
import { hasNode, isLeaving } from "./member.ts";
import { planTurn } from "./plan-turn.ts";
import { remediate } from "./remediate.ts";
import { isUnhealthy } from "./remediation-plan.ts";
import { sayHealth } from "./say-on-machines.ts";
import { completeMachines, scale } from "./scale.ts";
import { beforeDrain, terminate } from "./terminate.ts";
import type { Turn } from "./turn.ts";
import { authorContext, isHeld, lookAgain, takeIn, waits } from "./turn.ts";
import { ControlPlaneReason } from "./reasons.ts";

/** The interval between probes of an API server that has not answered yet, in milliseconds, before and after the first Node is there. */
const initializingMs = 20_000;
const soonInitializedMs = 2000;

const ownInfrastructureTemplate = async <O extends KubeObject>({
  context,
  desired,
  making,
}: Turn<O>): Promise<void> => {
  const { namespace } = context.changes.object.metadata;
  const template = await making.externals.find(making.context, desired.infrastructureRef, namespace);
  if (template !== undefined) await ownTemplate(making.context, template, context.cluster);
};

/** Makes what Machines need before they come. False while that waits. */
const prepare = async <O extends KubeObject>(turn: Turn<O>): Promise<boolean> => {
  const { author, context } = turn;
  if (waits(turn, await author.certificates?.(authorContext(turn)))) return false;
  if (!isValidEndpoint(clusterFields.endpoint.get(context.cluster))) {
    const message = "the Cluster has no control plane endpoint yet";
    return !waits(turn, { reason: ControlPlaneReason.waitingForEndpoint, message });
  }
  return !waits(turn, await author.kubeconfig?.(authorContext(turn)));
};

const sync = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { context, desired, making } = turn;
  const templates = { bootstrap: undefined, infrastructure: desired.infrastructureRef };
  await takeIn(turn, await syncMachines(making, turn.sync, context.round.machines, templates));
};

/** A Machine that goes, or has to, says nothing about the cluster that is to come. */
const mayAnswer = <O extends KubeObject>({ context: { round } }: Turn<O>): boolean =>
  round.members.some((member) => !isLeaving(member) && !isUnhealthy(member));

const isAnswering = <O extends KubeObject>(turn: Turn<O>): Promise<boolean> | boolean => {
  const { author, context } = turn;
  if (author.initialized !== undefined) return author.initialized(authorContext(turn));
  const { namespace = "", name = "" } = context.cluster.metadata;
  const clusters = context.environment.findService(workloadClusters);
  return (clusters && asAccount(clusters, author.workload))?.connection({ namespace, name }) !== undefined;
};

/** Looks at the cluster that runs, and says what it has seen. */
const inspect = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { author, context } = turn;
  const { round } = context;
  if (!round.initialized && mayAnswer(turn)) {
    round.initialized = await isAnswering(turn);
    if (!round.initialized) lookAgain(turn, round.members.some(hasNode) ? soonInitializedMs : initializingMs);
  }
  if (round.members.length > 0 && author.observe !== undefined) {
    round.health = await author.observe(authorContext(turn));
    if (round.health.requeueAfterMs !== undefined) lookAgain(turn, round.health.requeueAfterMs);
    await takeIn(turn, round.machines);
  }
  await sayHealth(turn);
};

/** One step of a control plane: everything that keeps it as it is, and at most one Machine made or deleted. */
export const advance = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { round } = turn.context;
  await claimSeen(turn);
  await ownInfrastructureTemplate(turn);
  if (!(await prepare(turn))) return;
  await sync(turn);
  await inspect(turn);
  await beforeDrain(turn);
  await terminate(turn);
  const { mayRemediate, mayScale } = planTurn(round.members, {
    held: isHeld(turn),
    waiting: round.waiting !== undefined,
  });
  if (mayRemediate && (await remediate(turn))) return;
  await completeMachines(turn);
  if (mayScale && (await scale(turn))) await turn.author.upkeep?.(authorContext(turn));
};
