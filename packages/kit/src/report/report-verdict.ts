import { bootstrapSentinel, rfc3339 } from "@capstan/contract";
import type { Condition, ConditionInput } from "@capstan/contract/wire";
import { ConditionType } from "@capstan/contract/wire";
import type { BootstrapReport } from "./bootstrap-report.ts";
import { causeOf, headOf, plainText, tailOf } from "./log-tail.ts";
import { OlderReportReason, ReportEvent, ReportReason } from "./reasons.ts";
import { redact } from "./redact.ts";

const { bootstrapSucceeded } = ConditionType;

/** That bootstrapping has not succeeded: whether it failed, or may still continue. */
const unsuccessful = (reason: string, message: string, hasFailed: boolean): ConditionInput => {
  const status = hasFailed ? "False" : "Unknown";
  const older = hasFailed ? OlderReportReason.failed : OlderReportReason.inProgress;
  return {
    type: bootstrapSucceeded,
    status,
    reason,
    message,
    ...(hasFailed && { severity: "Error" }),
    deprecated: { status, reason: older },
  };
};

/** Bytes of the message of the condition, of the cause in it, and of the log in the Secret. */
const maxMessage = 1024;
const maxCause = 256;
const maxSecretTail = 65_536;
/** Between what is said and the end of the log. */
const logHeading = "\nEnd of the log";

/** Facts in addition to the report. */
export interface ReportFacts {
  readonly before: Condition | undefined;
  readonly now: number;
  /** After this time without a report, bootstrapping counts as failed. */
  readonly waitMs: number;
  /** The Machine has its Node: whatever is not reported, bootstrapping cannot have failed altogether. */
  readonly hasNode: boolean;
  /** Where a longer end of a log is kept, if anywhere: the name of the Secret. */
  readonly logSecret?: string | undefined;
}

/** Returns the conclusion from a report. */
export interface ReportVerdict {
  readonly condition: ConditionInput;
  /** Said once, when the verdict changes. */
  readonly event?: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string };
  /** The longer end of the log, redacted. */
  readonly log?: string;
}

/** Returns whether the condition says the last word: a server is bootstrapped once. */
export const isFinal = (condition: Condition | undefined): boolean =>
  condition?.status === "True" || condition?.reason === ReportReason.failed;

/** A time as people say it. */
export const minutes = (ms: number): string => `${Math.round(ms / 6000) / 10} min`;

type Failure = Extract<BootstrapReport, { readonly state: "failed" }>;

/** A summary with the end of a log below it, and the longer end for the Secret. */
const withLog = (
  summary: string,
  text: string,
  { logSecret }: ReportFacts,
): { readonly message: string; readonly log?: string } => {
  const room = (heading: string): number => maxMessage - Buffer.byteLength(`${summary}${heading}:\n`);
  const whole = tailOf(text, room(logHeading));
  if (whole === "") return { message: summary };
  const log = tailOf(text, maxSecretTail);
  const isCut = whole.length < text.trimEnd().length;
  if (!isCut || logSecret === undefined) return { message: `${summary}${logHeading}:\n${whole}`, log };
  const heading = `${logHeading}, more of it in Secret ${logSecret}`;
  return { message: `${summary}${heading}:\n${tailOf(text, room(heading))}`, log };
};

/** Redacted before it is cut: half of a secret is none that can be recognised. */
const shown = (log: string): string => redact(plainText(log));
const shownCause = (cause: string | undefined): string | undefined =>
  cause === undefined ? undefined : headOf(shown(cause), maxCause);

const failed = ({ cause, log = "" }: Failure, facts: ReportFacts): ReportVerdict => {
  const text = shown(log);
  const said = shownCause(cause) ?? causeOf(text) ?? `bootstrapping ended without ${bootstrapSentinel}`;
  const summary = `bootstrapping failed: ${said}`;
  const { message, ...kept } = withLog(summary, text, facts);
  return {
    condition: unsuccessful(ReportReason.failed, message, true),
    event: { type: "Warning", reason: ReportEvent.failed, message: summary },
    ...kept,
  };
};

const succeeded: ReportVerdict = {
  condition: { type: bootstrapSucceeded, status: "True", reason: ReportReason.succeeded },
  event: { type: "Normal", reason: bootstrapSucceeded, message: "the server is bootstrapped" },
};

/** Since when bootstrapping continues: as reported, or as the condition says, or from now. */
const startOf = (report: BootstrapReport | undefined, { before, now }: ReportFacts): number => {
  if (report?.state === "running" && report.startedAt !== undefined) return report.startedAt;
  const since = before?.reason === ReportReason.inProgress ? Date.parse(before.lastTransitionTime) : Number.NaN;
  return Number.isNaN(since) ? now : since;
};

/** When the time that bootstrapping may take is over. */
const deadlineOf = (report: BootstrapReport | undefined, facts: ReportFacts): number =>
  startOf(report, facts) + facts.waitMs;

/** Returns whether the time is over and this has not been reported yet. */
export const isOverdue = (facts: ReportFacts, report?: BootstrapReport): boolean =>
  facts.before?.reason !== ReportReason.timedOut && facts.now >= deadlineOf(report, facts);

const unfinished = (report: BootstrapReport | undefined, facts: ReportFacts): ReportVerdict => {
  const isOver = report?.state === "timedOut" || facts.before?.reason === ReportReason.timedOut;
  if (!isOver && facts.now < deadlineOf(report, facts)) {
    const message = `bootstrapping since ${rfc3339(startOf(report, facts))}`;
    return { condition: unsuccessful(ReportReason.inProgress, message, false) };
  }
  const cause = report?.state === "timedOut" ? shownCause(report.cause) : undefined;
  const late = cause ?? `the server has not reported a bootstrap result within ${minutes(facts.waitMs)}`;
  if (facts.hasNode) {
    const message = `the Node has joined, but ${late}`;
    return { condition: unsuccessful(ReportReason.timedOut, message, false) };
  }
  return silence(report, late, facts);
};

/** Nothing was said in time. What was learnt of it before is kept. */
const silence = (report: BootstrapReport | undefined, late: string, facts: ReportFacts): ReportVerdict => {
  const { before } = facts;
  const known = before?.reason === ReportReason.timedOut && before.status === "False" ? before.message : undefined;
  const isTold = report?.state === "timedOut" && known?.includes(logHeading) !== true;
  const text = isTold ? shown(report.log ?? "") : "";
  const { message, ...kept } = text === "" ? { message: known ?? late } : withLog(late, text, facts);
  return {
    condition: unsuccessful(ReportReason.timedOut, message, true),
    event: { type: "Warning", reason: ReportEvent.timedOut, message: late },
    ...(message === known ? {} : kept),
  };
};

/**
 * Returns the verdict on a server from its bootstrap report. In progress is Unknown, so that consumers of False see
 * failures only; so is silence although the Node exists. A late report replaces the silence.
 */
export const reportVerdict = (report: BootstrapReport | undefined, facts: ReportFacts): ReportVerdict => {
  const verdict =
    report?.state === "succeeded"
      ? succeeded
      : report?.state === "failed"
        ? failed(report, facts)
        : unfinished(report, facts);
  const { before } = facts;
  const { reason, status } = verdict.condition;
  if (verdict.event === undefined || before?.status !== status || before.reason !== reason) return verdict;
  const { event: _said, ...rest } = verdict;
  return rest;
};
