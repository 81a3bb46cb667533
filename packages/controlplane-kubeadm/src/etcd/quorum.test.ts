import { expect, it } from "vitest";
import type { EtcdMember } from "./etcd-client.ts";
import { quorumObstacle } from "./quorum.ts";

const member = (name: string, more: Partial<EtcdMember> = {}): EtcdMember => ({
  id: BigInt(name.charCodeAt(0) || 1),
  name,
  learner: false,
  alarms: [],
  ...more,
});
const facts = (leaving: string | undefined, healthy: string, machines = "abc") => ({
  leaving,
  healthy: new Set(healthy),
  ofMachines: new Set(machines),
});
const abc = ["a", "b", "c"].map((name) => member(name));

it.each([
  ["three healthy, one leaves", abc, facts("a", "abc"), true],
  ["three, the sick one leaves", abc, facts("a", "bc"), true],
  ["three, a healthy one leaves and another is sick", abc, facts("a", "ab"), false],
  ["two, one leaves", abc.slice(0, 2), facts("a", "ab"), true],
  [
    "five with two sick, one of them leaves",
    ["a", "b", "c", "d", "e"].map((name) => member(name)),
    facts("a", "cde", "abcde"),
    true,
  ],
  ["a learner", [...abc, member("d", { learner: true })], facts("a", "abcd"), false],
  ["a member that has not started", [...abc, member("")], facts("a", "abc"), false],
  ["a member of no Machine", [member("a"), member("b"), member("x")], facts("a", "ab", "ab"), true],
  [
    "one of no Machine with an alarm",
    [member("a"), member("b"), member("x", { alarms: ["CORRUPT"] })],
    facts("a", "a", "ab"),
    false,
  ],
])("%s", (_, members, given, isSafe) => {
  expect(quorumObstacle(members, given) === undefined).toBe(isSafe);
});
