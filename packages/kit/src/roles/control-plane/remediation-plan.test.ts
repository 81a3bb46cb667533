import { Annotation } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import type { MemberCase } from "../../../test/control-plane/members.ts";
import { member, start } from "../../../test/control-plane/members.ts";
import type { RemediationPolicy } from "./author.ts";
import { byUrgency, hasRecovered, isUnhealthy, judgeBegun, judgeRemediation } from "./remediation-plan.ts";
import { recordIn, recordText } from "./remediation-record.ts";

const ill = { HealthCheckSucceeded: "False", OwnerRemediated: "False" } as const;
const now = start + 10_000_000;

const madeFor = (secondsAgo: number, retryCount: number): MemberCase["annotations"] => ({
  [Annotation.remediationFor]: recordText({
    machine: "before",
    timestamp: new Date(now - secondsAgo * 1000).toISOString(),
    retryCount,
  }),
});

describe("judgeRemediation", () => {
  const judged = (
    given: Partial<MemberCase>,
    others: readonly MemberCase[],
    {
      initialized = true,
      ...options
    }: { readonly initialized?: boolean; readonly held?: boolean; readonly policy?: RemediationPolicy } = {},
  ): string => {
    const sick = member({ name: "sick", says: ill, ...given });
    const members = [sick, ...others.map(member)];
    const verdict = judgeRemediation(sick, { members, policy: undefined, initialized, now, ...options });
    return verdict.kind === "remediate" ? `remediate ${verdict.record.retryCount}` : verdict.reason;
  };
  const b: MemberCase = { name: "b" };
  const c: MemberCase = { name: "c" };

  it.each<[string, Partial<MemberCase>, readonly MemberCase[], Parameters<typeof judged>[2], string]>([
    ["one of three", {}, [b, c], {}, "remediate 0"],
    ["the only one", {}, [], {}, "CannotBeRemediated"],
    ["the only one, before there is a cluster", {}, [], { initialized: false }, "remediate 0"],
    ["while another joins", {}, [b, { ...c, node: false }], {}, "RemediationDeferred"],
    ["while another goes", {}, [b, { ...c, leaving: true }], {}, "RemediationDeferred"],
    ["while another goes that is held", {}, [b, { ...c, leaving: true }], { held: true }, "remediate 0"],
    [
      "while another goes that is held, and one joins",
      {},
      [
        { ...b, node: false },
        { ...c, leaving: true },
      ],
      { held: true },
      "RemediationDeferred",
    ],
    ["beside another that is ill and never joined", {}, [b, { ...c, node: false, says: ill }], {}, "remediate 0"],
    ["again, soon after", { annotations: madeFor(60, 0) ?? {} }, [b, c], {}, "remediate 1"],
    ["again, long after", { annotations: madeFor(3600, 7) ?? {} }, [b, c], {}, "remediate 0"],
    [
      "again, too soon",
      { annotations: madeFor(60, 0) ?? {} },
      [b, c],
      { policy: { retryPeriodSeconds: 61 } },
      "RemediationDeferred",
    ],
    [
      "again, after the period",
      { annotations: madeFor(60, 0) ?? {} },
      [b, c],
      { policy: { retryPeriodSeconds: 60 } },
      "remediate 1",
    ],
    ["as often as it may", { annotations: madeFor(60, 1) ?? {} }, [b, c], { policy: { maxRetry: 2 } }, "remediate 2"],
    ["too often", { annotations: madeFor(60, 2) ?? {} }, [b, c], { policy: { maxRetry: 2 } }, "CannotBeRemediated"],
    [
      "too often, long ago",
      { annotations: madeFor(60, 2) ?? {} },
      [b, c],
      { policy: { maxRetry: 2, minHealthyPeriodSeconds: 60 } },
      "remediate 0",
    ],
    ["that never joined, while all others go", { node: false }, [{ ...b, leaving: true }], {}, "remediate 0"],
    [
      "that never joined, while another goes and one stays",
      { node: false },
      [{ ...b, leaving: true }, c],
      {},
      "RemediationDeferred",
    ],
    [
      "with a memory that cannot be read",
      { annotations: { [Annotation.remediationFor]: "{" } },
      [b, c],
      {},
      "remediate 0",
    ],
  ])("%s", (_, given, others, options, expected) => {
    expect(judged(given, others, options)).toBe(expected);
  });

  it("says how long only time is missing", () => {
    const sick = member({ name: "sick", says: ill, annotations: madeFor(60, 0) ?? {} });
    const policy = { retryPeriodSeconds: 90 };
    const verdict = judgeRemediation(sick, { members: [sick], policy, initialized: false, now });
    expect(verdict).toMatchObject({ kind: "refused", remainingMs: 30_000 });
  });
});

it("finds Machines that are to be replaced, and those that got well", () => {
  expect(isUnhealthy(member({ name: "a", says: ill }))).toBe(true);
  expect(isUnhealthy(member({ name: "a", says: { HealthCheckSucceeded: "False" } }))).toBe(false);
  expect(isUnhealthy(member({ name: "a", says: ill, leaving: true }))).toBe(false);
  expect(hasRecovered(member({ name: "a", says: { ...ill, HealthCheckSucceeded: "True" } }))).toBe(true);
  expect(hasRecovered(member({ name: "a", says: { HealthCheckSucceeded: "True" } }))).toBe(false);
});

it("begins with the most urgent", () => {
  const members = [
    { name: "young", age: 9 },
    { name: "old", age: 1 },
    { name: "broken", age: 8, broken: true },
    { name: "lost", age: 7, node: false },
    { name: "asked", age: 6, annotations: { "cluster.x-k8s.io/remediate-machine": "" } },
  ].map(member);
  expect(members.sort(byUrgency()).map(({ machine }) => machine.metadata.name)).toEqual([
    "asked",
    "lost",
    "broken",
    "old",
    "young",
  ]);
});

it("begins with those that lack what matters most", () => {
  const members = [
    { name: "old", age: 1, says: { Etcd: "True", Server: "True" } },
    { name: "no-server", age: 3, says: { Etcd: "True", Server: "False" } },
    { name: "unknown", age: 2, broken: true, says: { Etcd: "True" } },
    { name: "no-etcd", age: 9, says: { Etcd: "False", Server: "True" } },
    { name: "lost", age: 10, node: false, says: { Etcd: "True", Server: "True" } },
  ] satisfies readonly MemberCase[];
  const sorted = members.map(member).toSorted(byUrgency(["Etcd", "Server"]));
  expect(sorted.map(({ machine }) => machine.metadata.name)).toEqual([
    "lost",
    "no-etcd",
    "unknown",
    "no-server",
    "old",
  ]);
});

it.each([
  [undefined, undefined],
  ["{", undefined],
  ["[]", undefined],
  ['{"machine":1}', undefined],
  ['{"machine":"a"}', { machine: "a", timestamp: "", retryCount: 0 }],
  [
    '{"machine":"a","timestamp":"2026-01-01T00:00:00Z","retryCount":3}',
    { machine: "a", timestamp: "2026-01-01T00:00:00Z", retryCount: 3 },
  ],
])("reads the record %j", (text, expected) => {
  const annotations = text === undefined ? {} : { key: text };
  expect(recordIn({ metadata: { annotations } }, "key")).toEqual(expected);
});

describe("judgeBegun", () => {
  const record = { machine: "a", timestamp: new Date(start + 60_000).toISOString(), retryCount: 0 };
  const b: MemberCase = { name: "b" };

  it.each<[string, readonly MemberCase[], Partial<Parameters<typeof judgeBegun>[1]>, string]>([
    ["deletes what is unhealthy still", [{ name: "a", says: ill }, b], {}, "delete"],
    ["is over for what is healthy again", [{ name: "a" }, b], {}, "over"],
    ["waits for what goes", [{ name: "a", leaving: true }, b], {}, "waits"],
    ["lets others be replaced for what cannot go", [{ name: "a", leaving: true }, b], { held: true }, "held"],
    ["waits for another in its place", [b], {}, "waits"],
    ["lets others be replaced that keep another from coming", [b], { replacement: "blocked" }, "held"],
    ["is over when there are enough without it", [b], { replacement: "none" }, "over"],
    ["is over once another was made", [b, { name: "c", age: 61 }], {}, "over"],
    [
      "is over once another was made, although a further one is due",
      [b, { name: "c", age: 61 }],
      { replacement: "blocked" },
      "over",
    ],
  ])("%s", (_, members, facts, expected) => {
    const judged = judgeBegun(record, { members: members.map(member), held: false, replacement: "due", ...facts });
    expect(judged.kind).toBe(expected);
  });
});
