import { expect, it } from "vitest";
import { judgeJoining, type JoinFacts } from "./joining.ts";

const minute = 60_000;
const booting: JoinFacts = {
  node: "none",
  hasData: true,
  hasConfig: true,
  hasInfrastructure: true,
  hasFailed: false,
  since: 0,
  now: minute,
};

it.each<[string, Partial<JoinFacts>, string]>([
  ["boots", {}, "waits until 10"],
  ["has its Node, and kubeadm is not through", { node: "joining" }, "waits until 10"],
  ["has joined", { node: "joined" }, "over"],
  ["has had its time", { now: 10 * minute }, "over"],
  ["got its data later than it was made", { since: 5 * minute, now: 10 * minute }, "waits until 15"],
  ["failed to bootstrap", { hasFailed: true }, "over"],
  ["has no infrastructure any more", { hasInfrastructure: false }, "over"],
  ["has no data yet", { hasData: false }, "stop"],
  ["will not get data any more", { hasData: false, hasConfig: false }, "over"],
  ["has data, and no config any more", { hasConfig: false }, "waits until 10"],
])("a machine that %s", (_, facts, expected) => {
  const verdict = judgeJoining({ ...booting, ...facts });
  expect(verdict.kind === "waits" ? `waits until ${verdict.until / minute}` : verdict.kind).toBe(expected);
});
