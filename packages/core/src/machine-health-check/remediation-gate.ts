import type { MachineHealthCheck } from "../api.ts";

type TriggerIf = NonNullable<NonNullable<MachineHealthCheck["spec"]["remediation"]>["triggerIf"]>;

/**
 * Decision on whether unhealthy Machines may be replaced; `closed` when so many are unhealthy that something else must
 * be wrong.
 */
export type RemediationGate =
  | {
      readonly state: "open" | "closed";
      /** Number of further Machines that may become unhealthy; 0 while closed. */
      readonly remaining: number;
      /** Why it is closed; empty when open. */
      readonly message: string;
    }
  | { readonly state: "unreadable"; readonly message: string };

/** Bounds of a range such as `[3-5]`; `undefined` when the text is none, or its bounds are in the wrong order. */
export const parseRange = (text: string): { readonly min: number; readonly max: number } | undefined => {
  const match = /^\[(\d+)-(\d+)\]$/.exec(text);
  if (match === null) return undefined;
  const [min, max] = [Number(match[1]), Number(match[2])];
  return min <= max && Number.isSafeInteger(max) ? { min, max } : undefined;
};

/** A number, or a percentage of `total` rounded down; `undefined` when the value is neither. */
const limitOf = (value: number | string, total: number): number | undefined => {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 ? value : undefined;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? undefined : Math.floor((Number(percent) * total) / 100);
};

const gate = (isOpen: boolean, remaining: number, message: string): RemediationGate => ({
  state: isOpen ? "open" : "closed",
  remaining: isOpen ? remaining : 0,
  message: isOpen ? "" : message,
});

/** A range wins over a limit; without either, any number of Machines may be replaced at once. */
export const remediationGate = (
  triggerIf: TriggerIf | undefined,
  counts: { readonly expected: number; readonly healthy: number },
): RemediationGate => {
  const unhealthy = counts.expected - counts.healthy;
  const said = `Remediation is not allowed: ${unhealthy} of ${counts.expected} Machines are not started or unhealthy`;
  const field = "spec.remediation.triggerIf";
  const inRange = triggerIf?.unhealthyInRange;
  if (inRange !== undefined) {
    const range = parseRange(inRange);
    if (range === undefined) {
      return { state: "unreadable", message: `${field}.unhealthyInRange ${inRange} is not a range such as [1-4]` };
    }
    const isOpen = unhealthy >= range.min && unhealthy <= range.max;
    return gate(isOpen, range.max - unhealthy, `${said}, which is not in ${field}.unhealthyInRange ${inRange}`);
  }
  const value = triggerIf?.unhealthyLessThanOrEqualTo ?? "100%";
  const limit = limitOf(value, counts.expected);
  if (limit === undefined) {
    return {
      state: "unreadable",
      message: `${field}.unhealthyLessThanOrEqualTo ${value} is neither a number nor a percentage`,
    };
  }
  return gate(
    unhealthy <= limit,
    limit - unhealthy,
    `${said}, which is more than ${field}.unhealthyLessThanOrEqualTo ${value}`,
  );
};
