import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { keyOf } from "@capstan/kube-values";
import { newMachineMs, upToDateCondition } from "../../machines/conditions.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { withConditions, withDeprecated, withoutConditions } from "../../objects/conditions.ts";
import { isPassing } from "./claim-members.ts";
import type { Member } from "./member.ts";
import { hasNode, isLeaving, nameOfMember } from "./member.ts";
import type { Turn } from "./turn.ts";
import { lookAgain } from "./turn.ts";

/** Returns the Machine as it is cached now, so that core's writes since the reconcile began cause no conflict. */
const latest = <O extends KubeObject>({ context }: Turn<O>, { machine }: Member): Machine => {
  const present = context.environment.cache.get(Machines, keyOf(machine));
  return present?.metadata.uid === machine.metadata.uid ? (present ?? machine) : machine;
};

const save = async <O extends KubeObject>(
  turn: Turn<O>,
  member: Member,
  wanted: (machine: Machine) => Machine,
): Promise<void> => {
  const { round } = turn.context;
  const machine = latest(turn, member);
  try {
    const saved = await turn.machineSaver.saveStatus(machine, wanted(machine), turn.making.context);
    const renewed = (other: Machine): Machine => (other.metadata.uid === saved.metadata.uid ? saved : other);
    round.machines = round.machines.map(renewed);
    round.members = round.members.map((each) => ({ ...each, machine: renewed(each.machine) }));
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
};

/** Returns the time until conditions of a Machine without a Node, or in deletion, are written, in milliseconds. Most have joined or are gone by then. */
const untilWorthIt = (member: Member, now: number): number => {
  const { creationTimestamp, deletionTimestamp } = member.machine.metadata;
  if (!isLeaving(member) && hasNode(member)) return 0;
  const since = Date.parse((isLeaving(member) ? deletionTimestamp : creationTimestamp) ?? "");
  return Math.min(Math.max(since + newMachineMs - now, 0), newMachineMs) || 0;
};

/** Writes on Machines whether they are up to date, and the conditions that the author has observed. */
export const sayHealth = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { clock, round } = turn.context;
  const now = clock.now();
  for (const member of round.members) {
    const leftMs = untilWorthIt(member, now);
    if (leftMs > 0) {
      lookAgain(turn, leftMs);
      continue;
    }
    const seen = round.health?.machines?.[nameOfMember(member)] ?? [];
    const upToDate = isLeaving(member) ? [] : [upToDateCondition(member.outdated)];
    await save(turn, member, (machine) => {
      const said = withConditions(machine, [...upToDate, ...seen], now);
      return seen.length === 0 ? said : withDeprecated(said, seen, {}, now);
    });
  }
};

const type = "OwnerRemediated";

/** Says on an unhealthy Machine what becomes of its remediation. */
export const sayRemediation = async <O extends KubeObject>(
  turn: Turn<O>,
  member: Member,
  said: { readonly reason: string; readonly message: string },
): Promise<void> => {
  const now = turn.context.clock.now();
  const condition: ConditionInput = { type, status: "False", ...said };
  const begun = said.reason === "MachineDeleting";
  const older: ConditionInput = {
    ...condition,
    reason: begun ? "RemediationInProgress" : "WaitingForRemediation",
    severity: "Warning",
  };
  await save(turn, member, (machine) => withDeprecated(withConditions(machine, [condition], now), [older], {}, now));
};

/** Takes back what was said about the remediation of a Machine that is healthy again. */
export const unsayRemediation = async <O extends KubeObject>(turn: Turn<O>, member: Member): Promise<void> =>
  save(turn, member, (machine) => withoutConditions(machine, [type]));
