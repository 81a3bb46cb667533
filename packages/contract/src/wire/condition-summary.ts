import { byText } from "@capstan/kube-values";
import type { Condition, ConditionInput, ConditionStatus } from "./conditions.ts";
import { ConditionReason } from "./conditions.ts";
import { withoutStageTimes } from "./stage-text.ts";

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

const bullet = /^\s*\* /;

/** Formats the text after a colon: on the same line, or as bullets on separate lines. */
const following = (message: string): string => {
  const lines = message.split("\n");
  const isBulleted = (line: string): boolean => bullet.test(line);
  if (lines.length === 1 && !isBulleted(message)) return ` ${message}`;
  const mixed = !lines.every(isBulleted);
  const prefix = (line: string): string => (!mixed ? "  " : isBulleted(line) ? "    " : "  * ");
  return lines.map((line) => `\n${prefix(line)}${line}`).join("");
};

/** A line that says something of a subject, in lines of its own beneath it where that takes several. */
export const subjectLine = (subject: string, message: string): string => `* ${subject}:${following(message)}`;

/**
 * One condition out of several: False if any is an issue, else Unknown if any is unknown, else True. The message has a line for
 * each input that weighs, in the order of the inputs; when nothing is wrong it has one for each that says something.
 */
export const summarize = (
  conditions: readonly Condition[],
  inputs: readonly SummaryInput[],
  target: SummaryTarget = readyTarget,
): ConditionInput => {
  const lines: { readonly weight: Weight; readonly line: string }[] = [];
  for (const input of inputs) {
    const condition = conditions.find((candidate) => candidate.type === input.type);
    if (condition === undefined) {
      if (input.ignoreIfAbsent !== true) {
        lines.push({ weight: "unknown", line: subjectLine(input.type, "Condition not yet reported") });
      }
      continue;
    }
    const weight = weigh(condition.status, input.negative === true);
    const message = input.message?.(condition) ?? condition.message;
    if (weight !== "info") {
      lines.push({ weight, line: subjectLine(input.type, message === "" ? condition.reason : message) });
    } else if (message !== "" && input.negative !== true) {
      lines.push({ weight, line: subjectLine(input.type, message) });
    }
  }
  const status = outcome(lines.map(({ weight }) => weight));
  const shown = lines.filter(({ weight }) => (weight === "info") === (status === "True"));
  return {
    type: target.type,
    status,
    reason: target.reasons[status],
    message: shown.map(({ line }) => line).join("\n"),
  };
};

const outcome = (weights: readonly Weight[]): ConditionStatus => {
  if (weights.includes("issue")) return "False";
  return weights.includes("unknown") ? "Unknown" : "True";
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
    const { status, message, lastTransitionTime } = condition;
    // The older contract demands no reason of what is True.
    const isBare = status === "True" && condition.reason === ConditionReason.noReason;
    const reason = isBare ? ConditionReason.ready : condition.reason;
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

/** Members that say the same: how many, and the first of them by importance. */
interface MessageGroup {
  readonly message: string;
  count: number;
  readonly first: AggregateMember[];
}

const byImportance = (left: AggregateMember, right: AggregateMember): number =>
  Number(right.controlPlane) - Number(left.controlPlane) || byText(left.name, right.name);

/** Only the first few are kept in order: there may be ten thousand. */
const addTo = (groups: Map<string, MessageGroup>, message: string, member: AggregateMember): void => {
  const group = groups.get(message) ?? { message, count: 0, first: [] };
  if (group.count === 0) groups.set(message, group);
  group.count += 1;
  const { first } = group;
  const last = first[shownNames - 1];
  if (last !== undefined && byImportance(last, member) < 0) return;
  const place = first.findIndex((present) => byImportance(member, present) < 0);
  first.splice(place === -1 ? first.length : place, 0, member);
  first.length = Math.min(first.length, shownNames);
};

const inOrder = (groups: Map<string, MessageGroup>): readonly MessageGroup[] =>
  [...groups.values()].sort(({ first: [left] }, { first: [right] }) =>
    left === undefined || right === undefined ? 0 : byImportance(left, right),
  );

const nameList = ({ count, first }: MessageGroup): string => {
  const shown = first.map(({ name }) => name).join(", ");
  return count > shownNames ? `${shown}, ... (${count - shownNames} more)` : shown;
};

/**
 * One condition out of the same condition of many objects. Equal messages, whenever a stage began, are one line that names at most three
 * objects; at most three lines, the rest is counted. No members: True with `noneReason`.
 */
export const aggregate = (
  members: readonly AggregateMember[],
  options: { readonly source: string; readonly target: SummaryTarget; readonly noneReason: string },
): ConditionInput => {
  const { target } = options;
  if (members.length === 0) return { type: target.type, status: "True", reason: options.noneReason };
  const issues = new Map<string, MessageGroup>();
  const unknowns = new Map<string, MessageGroup>();
  for (const member of members) {
    const { condition } = member;
    if (condition?.status === "True") continue;
    const groups = condition?.status === "False" ? issues : unknowns;
    const message =
      condition === undefined
        ? `Condition ${options.source} not yet reported`
        : withoutStageTimes(condition.message) || condition.reason;
    addTo(groups, message, member);
  }
  const bad: ConditionStatus = unknowns.size > 0 ? "Unknown" : "True";
  const status = issues.size > 0 ? "False" : bad;
  return {
    type: target.type,
    status,
    reason: target.reasons[status],
    message: aggregateMessage(inOrder(issues), inOrder(unknowns)),
  };
};

const aggregateMessage = (issues: readonly MessageGroup[], unknowns: readonly MessageGroup[]): string => {
  const lines = [...issues, ...unknowns].slice(0, shownMessages).map(groupLine);
  const otherIssues = issues.slice(shownMessages);
  const otherUnknowns = unknowns.slice(Math.max(0, shownMessages - issues.length));
  if (otherIssues.length > 0) lines.push(`And ${plural(otherIssues)} with other issues`);
  if (otherUnknowns.length > 0) lines.push(`And ${plural(otherUnknowns)} with status unknown`);
  return lines.join("\n");
};

const groupLine = (group: MessageGroup): string => {
  const { count, first, message } = group;
  return subjectLine(`${first[0]?.kind}${count > 1 ? "s" : ""} ${nameList(group)}`, message);
};

const plural = (groups: readonly MessageGroup[]): string => {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return `${total} ${groups[0]?.first[0]?.kind}${total > 1 ? "s" : ""}`;
};
