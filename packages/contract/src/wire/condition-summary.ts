import type { Condition, ConditionInput, ConditionStatus } from "./conditions.ts";
import { ConditionReason } from "./conditions.ts";

/** One condition that a summary looks at. */
export interface SummaryInput {
  readonly type: string;
  /** True is bad, as with `Deleting`. */
  readonly negative?: boolean;
  /** A condition that is not there says nothing; without this it counts as unknown. */
  readonly ignoreIfAbsent?: boolean;
  /** Replaces the message, for example to name only the stage of a deletion. */
  readonly message?: (condition: Condition) => string;
}

/** The summary's own type and its reason for each outcome. */
export interface SummaryTarget {
  readonly type: string;
  readonly reasons: Readonly<Record<ConditionStatus, string>>;
}

export const readyTarget: SummaryTarget = {
  type: "Ready",
  reasons: { True: ConditionReason.ready, False: ConditionReason.notReady, Unknown: ConditionReason.readyUnknown },
};

type Weight = "issue" | "unknown" | "info";

const weigh = (status: ConditionStatus, negative: boolean): Weight => {
  if (status === "Unknown") return "unknown";
  return (status === "False") === negative ? "info" : "issue";
};

const indent = (message: string): string => message.split("\n").join("\n  ");

/**
 * One condition out of several: False if any is an issue, else Unknown if any is unknown, else True. The message has a line for
 * each input that weighs, issues before unknowns; when nothing is wrong it has one for each that says something.
 */
export const summarize = (
  conditions: readonly Condition[],
  inputs: readonly SummaryInput[],
  target: SummaryTarget = readyTarget,
): ConditionInput => {
  const lines: Record<Weight, string[]> = { issue: [], unknown: [], info: [] };
  for (const input of inputs) {
    const condition = conditions.find((candidate) => candidate.type === input.type);
    if (condition === undefined) {
      if (input.ignoreIfAbsent !== true)
        lines.unknown.push(`* ${input.type}: Condition ${input.type} not yet reported`);
      continue;
    }
    const weight = weigh(condition.status, input.negative === true);
    const message = input.message?.(condition) ?? condition.message;
    if (weight === "info") {
      if (message !== "" && input.negative !== true) lines.info.push(`* ${input.type}: ${indent(message)}`);
    } else {
      lines[weight].push(`* ${input.type}: ${indent(message === "" ? condition.reason : message)}`);
    }
  }
  const status = outcome(lines);
  const shown = status === "True" ? lines.info : [...lines.issue, ...lines.unknown];
  return { type: target.type, status, reason: target.reasons[status], message: shown.join("\n") };
};

const outcome = (lines: Readonly<Record<Weight, readonly string[]>>): ConditionStatus => {
  if (lines.issue.length > 0) return "False";
  return lines.unknown.length > 0 ? "Unknown" : "True";
};

/**
 * Copies the condition of another object under a type of one's own. When it is absent, the initialization flag decides, with a
 * message that names the kind and the field.
 */
export const mirror = (
  condition: Condition | undefined,
  target: string,
  fallback: { readonly initialized: boolean; readonly kind: string; readonly path: string },
): ConditionInput & { readonly lastTransitionTime?: string } => {
  if (condition !== undefined) {
    const { status, reason, message, lastTransitionTime } = condition;
    return { type: target, status, reason, message, lastTransitionTime };
  }
  const message = fallback.initialized ? "" : `${fallback.kind} ${fallback.path} is false`;
  return fallback.initialized
    ? { type: target, status: "True", reason: ConditionReason.ready, message }
    : { type: target, status: "False", reason: ConditionReason.notReady, message };
};

/** An object with the condition to be aggregated; `undefined` when it is not reported. */
export interface AggregateMember {
  readonly kind: string;
  readonly name: string;
  readonly controlPlane: boolean;
  readonly condition: Condition | undefined;
}

const shownNames = 3;
const shownMessages = 3;

const nameList = (members: readonly AggregateMember[]): string => {
  const names = members.map((member) => member.name);
  const shown = names.slice(0, shownNames).join(", ");
  return names.length > shownNames ? `${shown}, ... (${names.length - shownNames} more)` : shown;
};

const byImportance = (left: AggregateMember, right: AggregateMember): number =>
  Number(right.controlPlane) - Number(left.controlPlane) || (left.name < right.name ? -1 : 1);

/**
 * One condition out of the same condition of many objects. Equal messages are one line that names at most three objects; at most
 * three lines, the rest is counted. No members: True with `noneReason`.
 */
export const aggregate = (
  members: readonly AggregateMember[],
  options: { readonly source: string; readonly target: SummaryTarget; readonly noneReason: string },
): ConditionInput => {
  const { target } = options;
  if (members.length === 0) return { type: target.type, status: "True", reason: options.noneReason };
  const issues: MessageGroups = new Map();
  const unknowns: MessageGroups = new Map();
  for (const member of members.toSorted(byImportance)) {
    const { condition } = member;
    if (condition?.status === "True") continue;
    const groups = condition?.status === "False" ? issues : unknowns;
    const message =
      condition === undefined ? `Condition ${options.source} not yet reported` : condition.message || condition.reason;
    groups.set(message, [...(groups.get(message) ?? []), member]);
  }
  const bad: ConditionStatus = unknowns.size > 0 ? "Unknown" : "True";
  const status = issues.size > 0 ? "False" : bad;
  return { type: target.type, status, reason: target.reasons[status], message: aggregateMessage(issues, unknowns) };
};

type MessageGroups = Map<string, AggregateMember[]>;

const aggregateMessage = (issues: MessageGroups, unknowns: MessageGroups): string => {
  const issueLines = [...issues].map(groupLine);
  const unknownLines = [...unknowns].map(groupLine);
  const lines = [...issueLines, ...unknownLines].slice(0, shownMessages);
  const rest = (groups: MessageGroups, from: number): readonly AggregateMember[] =>
    [...groups.values()].slice(from).flat();
  const otherIssues = rest(issues, shownMessages);
  const otherUnknowns = rest(unknowns, Math.max(0, shownMessages - issues.size));
  if (otherIssues.length > 0) lines.push(`And ${plural(otherIssues)} with other issues`);
  if (otherUnknowns.length > 0) lines.push(`And ${plural(otherUnknowns)} with status unknown`);
  return lines.join("\n");
};

const groupLine = ([message, members]: readonly [string, readonly AggregateMember[]]): string => {
  const said = message.includes("\n") ? `\n  ${indent(message)}` : ` ${message}`;
  return `* ${members[0]?.kind}${members.length > 1 ? "s" : ""} ${nameList(members)}:${said}`;
};

const plural = (members: readonly AggregateMember[]): string =>
  `${members.length} ${members[0]?.kind}${members.length > 1 ? "s" : ""}`;
