import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { upToDateCondition } from "../../machines/conditions.ts";
import type { Machine } from "../../machines/machine.ts";
import { withConditions, withDeprecated, withoutConditions } from "../../objects/conditions.ts";
import { isPassing } from "./claim-members.ts";
import type { Member } from "./member.ts";
import { isLeaving, nameOfMember } from "./member.ts";
import type { Turn } from "./turn.ts";

const save = async <O extends KubeObject>(turn: Turn<O>, { machine }: Member, wanted: Machine): Promise<void> => {
  const { round } = turn.context;
  try {
    const saved = await turn.machineSaver.saveStatus(machine, wanted, turn.making.context);
    const renewed = (other: Machine): Machine => (other.metadata.uid === saved.metadata.uid ? saved : other);
    round.machines = round.machines.map(renewed);
    round.members = round.members.map((member) => ({ ...member, machine: renewed(member.machine) }));
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
};

/** Says on every Machine whether it is up to date, and what the author has seen of it. */
export const sayHealth = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { clock, round } = turn.context;
  const now = clock.now();
  for (const member of round.members) {
    const seen = round.health?.machines?.[nameOfMember(member)] ?? [];
    const upToDate = isLeaving(member) ? [] : [upToDateCondition(member.outdated)];
    const wanted = withConditions(member.machine, [...upToDate, ...seen], now);
    await save(turn, member, seen.length === 0 ? wanted : withDeprecated(wanted, seen, {}, now));
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
  await save(turn, member, withDeprecated(withConditions(member.machine, [condition], now), [older], {}, now));
};

/** Takes back what was said about the remediation of a Machine that is healthy again. */
export const unsayRemediation = async <O extends KubeObject>(turn: Turn<O>, member: Member): Promise<void> =>
  save(turn, member, withoutConditions(member.machine, [type]));
