import type { ConditionInput } from "@capstan/contract/wire";
import { ControlPlaneReason } from "./reasons.ts";

/** Conditions of Machines, by name. */
export type SaidOnMachines = ReadonlyMap<string, readonly ConditionInput[]>;

/**
 * One condition of a control plane out of those of `inputs` on its Machines: False as soon as one is,
 * True when all are.
 */
export const summarizeMembers = (
  type: string,
  said: SaidOnMachines,
  inputs: ReadonlySet<string>,
  {
    wrong = [],
    well = "",
  }: {
    /** Lines about what is wrong on none of them. */
    readonly wrong?: readonly string[] | undefined;
    /** The message when all is well. */
    readonly well?: string | undefined;
  } = {},
): ConditionInput => {
  const own = [...said].flatMap(([name, conditions]) =>
    conditions.filter((condition) => inputs.has(condition.type)).map((condition) => ({ name, ...condition })),
  );
  const bad = own.filter(({ status }) => status === "False");
  const unknown = own.filter(({ status }) => status === "Unknown");
  const isBad = bad.length + wrong.length > 0;
  const worst = isBad ? bad : unknown;
  if (own.length > 0 && !isBad && worst.length === 0) {
    return { type, status: "True", reason: ControlPlaneReason.healthy, ...(well !== "" && { message: well }) };
  }
  const message = [
    ...worst.map(({ name, ...one }) => `* Machine ${name}: ${one.type}: ${one.message ?? one.reason}`),
    ...wrong.map((text) => `* ${text}`),
  ].join("\n");
  return isBad
    ? { type, status: "False", reason: ControlPlaneReason.notHealthy, message }
    : { type, status: "Unknown", reason: ControlPlaneReason.healthUnknown, message };
};
