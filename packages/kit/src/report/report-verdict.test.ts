import type { Condition } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import type { BootstrapReport } from "./bootstrap-report.ts";
import { isFinal, isOverdue, reportVerdict } from "./report-verdict.ts";
import type { ReportFacts } from "./report-verdict.ts";

const now = Date.UTC(2030, 0, 1);
const facts: ReportFacts = { before: undefined, now, waitMs: 600_000, hasNode: false };
const before = (status: Condition["status"], reason: string, agoMs = 0): Condition => ({
  type: "BootstrapSucceeded",
  status,
  reason,
  message: "",
  lastTransitionTime: new Date(now - agoMs).toISOString(),
});
const running: BootstrapReport = { state: "running" };
const failure = (log: string): BootstrapReport => ({ state: "failed", log });

describe("reportVerdict", () => {
  type Case = readonly [string, BootstrapReport | undefined, Partial<ReportFacts>, object, (string | undefined)?];
  const cases: readonly Case[] = [
    [
      "nothing yet",
      undefined,
      {},
      { status: "Unknown", reason: "InProgress", message: "bootstrapping since 2030-01-01T00:00:00Z" },
    ],
    [
      "nothing yet, for nine minutes",
      undefined,
      { before: before("Unknown", "InProgress", 540_000) },
      { status: "Unknown", reason: "InProgress", message: "bootstrapping since 2029-12-31T23:51:00Z" },
    ],
    [
      "nothing for ten minutes",
      undefined,
      { before: before("Unknown", "InProgress", 600_000) },
      {
        status: "False",
        reason: "TimedOut",
        severity: "Error",
        message: "the server has not reported a bootstrap result within 10 min",
      },
      "BootstrapTimedOut",
    ],
    [
      "nothing still",
      undefined,
      { before: before("False", "TimedOut", 5000) },
      { status: "False", reason: "TimedOut" },
    ],
    [
      "nothing for ten minutes, and yet the Node is there",
      undefined,
      { before: before("Unknown", "InProgress", 600_000), hasNode: true },
      { status: "Unknown", reason: "TimedOut" },
    ],
    [
      "it runs, since a time the channel knows",
      { state: "running", startedAt: now - 700_000 },
      {},
      { status: "False", reason: "TimedOut" },
      "BootstrapTimedOut",
    ],
    ["it runs", running, {}, { status: "Unknown", reason: "InProgress" }],
    [
      "it was too slow, and why is known",
      { state: "timedOut", cause: "OSProvisioningTimedOut: no answer of abcdef.0123456789abcdef" },
      {},
      { status: "False", reason: "TimedOut", message: "OSProvisioningTimedOut: no answer of [redacted]" },
      "BootstrapTimedOut",
    ],
    [
      "it was too slow, and its log tells how far it came",
      { state: "timedOut", log: "waiting for disk\n" },
      {},
      {
        status: "False",
        reason: "TimedOut",
        message: "the server has not reported a bootstrap result within 10 min\nEnd of the log:\nwaiting for disk",
      },
      "BootstrapTimedOut",
    ],
    [
      "silence after that",
      undefined,
      { before: { ...before("False", "TimedOut", 5000), message: "too slow\nEnd of the log:\nwaiting" } },
      { status: "False", reason: "TimedOut", message: "too slow\nEnd of the log:\nwaiting" },
    ],
    [
      "a log after the silence",
      { state: "timedOut", log: "waiting" },
      { before: { ...before("False", "TimedOut", 5000), message: "too slow" } },
      { status: "False", reason: "TimedOut", message: expect.stringContaining("waiting") as string },
    ],
    ["success", { state: "succeeded" }, {}, { status: "True", reason: "Succeeded" }, "BootstrapSucceeded"],
    [
      "success after all",
      { state: "succeeded" },
      { before: before("False", "TimedOut") },
      { status: "True" },
      "BootstrapSucceeded",
    ],
    ["success again", { state: "succeeded" }, { before: before("True", "Succeeded") }, { status: "True" }],
    [
      "failure after all",
      failure(""),
      { before: before("False", "TimedOut") },
      { reason: "Failed" },
      "BootstrapFailed",
    ],
    [
      "failure without a log",
      failure(""),
      {},
      {
        status: "False",
        reason: "Failed",
        severity: "Error",
        message: "bootstrapping failed: bootstrapping ended without /run/cluster-api/bootstrap-success.complete",
      },
      "BootstrapFailed",
    ],
    [
      "failure with a log",
      failure("\u001B[1mstart\u001B[0m\nerror: kaput\n"),
      {},
      { message: "bootstrapping failed: error: kaput\nEnd of the log:\nstart\nerror: kaput" },
      "BootstrapFailed",
    ],
    [
      "failure with a cause",
      { state: "failed", cause: "exit 1 with --token abcdef.0123456789abcdef", log: "error: x" },
      {},
      { message: "bootstrapping failed: exit 1 with --token [redacted]\nEnd of the log:\nerror: x" },
      "BootstrapFailed",
    ],
  ];
  for (const [name, report, more, condition, reason] of cases) {
    it(name, () => {
      const verdict = reportVerdict(report, { ...facts, ...more });
      expect(verdict.condition).toMatchObject({ type: "BootstrapSucceeded", ...condition });
      expect(verdict.event?.reason).toBe(reason);
    });
  }

  it.each([undefined, "m-bootstrap-log"])(
    "shows a kilobyte in all, keeps more of the log, and nothing secret of either (Secret: %s)",
    (logSecret) => {
      const line = `step 0123 with abcdef.0123456789abcdef\n`;
      const cause = `é${"x".repeat(2000)}`;
      const report: BootstrapReport = { state: "failed", cause, log: `${line.repeat(5000)}error: kaput` };
      const { condition, event, log } = reportVerdict(report, { ...facts, logSecret });
      const { message = "" } = condition;
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
      expect(Buffer.byteLength(message)).toBeGreaterThan(900);
      expect(message.endsWith("error: kaput")).toBe(true);
      expect(message.includes("more of it in Secret m-bootstrap-log")).toBe(logSecret !== undefined);
      expect(Buffer.byteLength(event?.message ?? "")).toBeLessThanOrEqual(1024);
      expect(Buffer.byteLength(log ?? "")).toBeLessThanOrEqual(65_536);
      expect(Buffer.byteLength(log ?? "")).toBeGreaterThan(60_000);
      expect(JSON.stringify([condition, event, log])).not.toContain("0123456789abcdef");
    },
  );
});

describe("a report that timed out", () => {
  const late: BootstrapReport = { state: "timedOut", log: "waiting" };
  const said = reportVerdict(late, facts);

  it("has its log kept once", () => {
    expect(said.log).toBe("waiting");
    const again = { ...before("False", "TimedOut", 5000), message: said.condition.message ?? "" };
    expect(reportVerdict(late, { ...facts, before: again }).log).toBeUndefined();
  });

  it.each([
    [before("Unknown", "InProgress", 540_000), false],
    [before("Unknown", "InProgress", 600_000), true],
    [before("False", "TimedOut", 900_000), false],
    [undefined, false],
  ])("is wanted when time is over and nobody has said so: %o %s", (condition, expected) => {
    expect(isOverdue({ ...facts, before: condition })).toBe(expected);
  });
});

it.each([
  [undefined, false],
  [before("Unknown", "InProgress"), false],
  [before("False", "TimedOut"), false],
  [before("False", "Failed"), true],
  [before("True", "Succeeded"), true],
] as const)("%o is final: %s", (condition, expected) => {
  expect(isFinal(condition)).toBe(expected);
});
