import { Annotation } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import type { ExternalObject } from "../../external/external-objects.ts";
import { deleteMachines } from "../../machines/delete-machines.ts";
import { machineName } from "../../machines/machine-name.ts";
import { makeMachine } from "../../machines/make-machine.ts";
import { warnOf } from "../../machines/maker.ts";
import type { MachineParts } from "../../machines/parts.ts";
import { incompleteMachines, makeParts } from "../../machines/parts.ts";
import { readTemplate } from "../../machines/template.ts";
import { internalError } from "../../objects/conditions.ts";
import type { MemberRole } from "./author.ts";
import { claimLive } from "./claim-members.ts";
import { partsFor } from "./maker.ts";
import type { Plan } from "./plan.ts";
import { planControlPlane } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { recordIn, recordText, takeRecord } from "./remediation-record.ts";
import { domainsOf } from "./surroundings.ts";
import type { Turn } from "./turn.ts";
import { authorContext, lookAgain, takeIn, waits } from "./turn.ts";

/** Machines above the number wanted that a rollout has when no one says how many. */
const defaultMaxSurge = 1;
const preflightRetryMs = 15_000;

type Making = Extract<Plan, { readonly action: "initialize" | "scaleUp" }>;
type Removing = Extract<Plan, { readonly action: "scaleDown" }>;

/** The Machine to make or to delete next, if nothing stands in the way. */
export const planOf = <O extends KubeObject>({ context, desired }: Turn<O>): Plan =>
  desired.replicas === undefined
    ? { action: "none" }
    : planControlPlane({
        replicas: desired.replicas,
        initialized: context.round.initialized,
        maxSurge: desired.rollout?.maxSurge ?? defaultMaxSurge,
        members: context.round.members,
        failureDomains: domainsOf(context.cluster),
      });

const templateOf = <O extends KubeObject>({ context, desired, making }: Turn<O>): Promise<ExternalObject> =>
  readTemplate(making, desired.infrastructureRef, {
    object: context.changes.object,
    field: "the infrastructure reference of its machine template",
  });

/** Does something; what goes wrong is said where people look for why no Machine comes or goes. */
const attempt = async <O extends KubeObject>(
  turn: Turn<O>,
  event: string,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    turn.context.round.blockers = [internalError("", error).message ?? ""];
    warnOf(turn.making, event, error);
    throw error;
  }
};

const partsOf = async <O extends KubeObject>(turn: Turn<O>, role: MemberRole): Promise<MachineParts> => {
  const { author, context, making } = turn;
  const { object } = context.changes;
  return partsFor(author, making.maker, { object, cluster: context.cluster, role, template: await templateOf(turn) });
};

/** The first Machine begins the cluster; whoever comes while another is there joins it. */
const roleBeside = (others: number): MemberRole => (others === 0 ? "init" : "join");

/** Makes what Machines refer to and an interrupted reconcile did not. */
export const completeMachines = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { machines } = turn.context.round;
  for (const machine of await incompleteMachines(turn.making, machines)) {
    await attempt(turn, "FailedCreate", async () =>
      makeParts(turn.making, await partsOf(turn, roleBeside(machines.length - 1)), machine),
    );
  }
};

const camelCase = (kind: string): string => `${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;

const newName = <O extends KubeObject>({ author, context, desired, making }: Turn<O>): string => {
  const own = `.${camelCase(author.kind.kind)}.name`;
  const variables = {
    ".cluster.name": making.maker.clusterName,
    [own]: context.changes.object.metadata.name ?? "",
  };
  return machineName(desired.naming ?? `{{ ${own} }}-{{ .random }}`, variables, context.random);
};

const make = async <O extends KubeObject>(turn: Turn<O>, { failureDomain }: Making): Promise<void> => {
  const { author, context, desired, making, sync } = turn;
  const { changes, round } = context;
  const parts = await partsOf(turn, roleBeside(round.machines.length));
  const begun = recordIn(changes.object, Annotation.remediationInProgress);
  const { placed } = takeRecord(begun, round.members, context.clock.now());
  const machine = await makeMachine(making, sync.machines, parts, {
    name: newName(turn),
    version: desired.version,
    failureDomain,
    annotations: {
      ...author.annotations?.(changes.object),
      ...(placed === undefined ? {} : { [Annotation.remediationFor]: recordText(placed) }),
    },
  });
  // The new Machine remembers it now.
  if (begun !== undefined) {
    const { rest } = takeRecord(begun, round.members, context.clock.now());
    const remaining = rest === undefined ? null : recordText(rest);
    changes.merge({ metadata: { annotations: { [Annotation.remediationInProgress]: remaining } } });
  }
  const before = round.machines;
  try {
    await makeParts(making, parts, machine);
  } finally {
    await takeIn(turn, [...before, machine]);
  }
};

const remove = async <O extends KubeObject>(turn: Turn<O>, { member }: Removing): Promise<void> => {
  if (waits(turn, await turn.author.beforeDeletion?.({ ...authorContext(turn), member }))) return;
  await deleteMachines(turn.making, [member.machine]);
};

const events = { initialize: "FailedInitialization", scaleUp: "FailedScaleUp", scaleDown: "FailedScaleDown" } as const;

/** Returns whether a step has to wait. The first Machine waits only for its template. */
export const isBlocked = async <O extends KubeObject>(turn: Turn<O>, plan: Making | Removing): Promise<boolean> => {
  if (plan.action === "initialize") return false;
  const { round } = turn.context;
  round.blockers = await preflight(turn, plan.action, plan.action === "scaleDown" ? plan.member : undefined);
  if (round.blockers.length > 0) lookAgain(turn, preflightRetryMs);
  return round.blockers.length > 0;
};

/** Makes or deletes the one Machine that is next, if it may be. True when there is nothing to make or delete. */
export const scale = async <O extends KubeObject>(turn: Turn<O>): Promise<boolean> => {
  const seen = planOf(turn);
  if (seen.action === "none") return true;
  if (await isBlocked(turn, seen)) return false;
  await claimLive(turn);
  const plan = planOf(turn);
  if (plan.action === "none" || (await isBlocked(turn, plan))) return false;
  if (plan.rollout && waits(turn, await turn.author.beforeRollout?.(authorContext(turn)))) return false;
  await attempt(turn, events[plan.action], () => (plan.action === "scaleDown" ? remove(turn, plan) : make(turn, plan)));
  return false;
};
