import { expect, it } from "vitest";
import { judgeJoining, type JoinFacts } from "./joining.ts";

const minute = 60_000;
const booting: JoinFacts = {
  isTokenKept: false,
  node: "none",
  hasData: true,
  hasConfig: true,
  hasInfrastructure: true,
  hasFailed: false,
  since: 0,
  deletedAt: minute,
  revokedAt: undefined,
  now: minute,
};

it.each<[string, Partial<JoinFacts>, string]>([
  ["boots", {}, "waits until 10"],
  ["has its Node, and kubeadm is not through", { node: "joining" }, "waits until 10"],
  ["has joined", { node: "joined" }, "over"],
  ["has had its time", { now: 10 * minute }, "revoke"],
  ["has lost its token", { now: 12 * minute, revokedAt: 11 * minute }, "finishes until 16"],
  ["has lost its token and would have finished", { now: 16 * minute, revokedAt: 11 * minute }, "over"],
  ["joined after it lost its token", { node: "joined", now: 12 * minute, revokedAt: 11 * minute }, "over"],
  [
    "got its infrastructure again and again after it was deleted",
    { since: 9 * minute, now: 10 * minute },
    "waits until 11",
  ],
  [
    "got its data later than it was made",
    { since: 5 * minute, deletedAt: 6 * minute, now: 10 * minute },
    "waits until 15",
  ],
  ["failed to bootstrap", { hasFailed: true }, "over"],
  ["has no infrastructure any more", { hasInfrastructure: false }, "over"],
  ["has no data yet", { hasData: false }, "stop"],
  ["will not get data any more", { hasData: false, hasConfig: false }, "over"],
  ["has data, and no config any more", { hasConfig: false }, "waits until 10"],
])("a machine that %s", (_, facts, expected) => {
  const verdict = judgeJoining({ ...booting, ...facts });
  expect("until" in verdict ? `${verdict.kind} until ${verdict.until / minute}` : verdict.kind).toBe(expected);
});
