import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EtcdMember, quorumObstacle } from "@capstan/kit/control-plane";
import { nextStray } from "./quorum.ts";

const idOf = (letter: string): bigint => BigInt(letter.charCodeAt(0));

/** Members by letters, which are their names and tell their ids: `a?` is one that has not started, `a~` a learner, `a!` has an alarm. */
const members = (text: string): readonly EtcdMember[] =>
  text.split(" ").map((each) => ({
    id: idOf(each),
    name: each.endsWith("?") ? "" : each.charAt(0),
    hosts: [],
    learner: each.endsWith("~"),
    alarms: each.endsWith("!") ? ["NOSPACE"] : [],
  }));
const ids = (letters: string): ReadonlySet<bigint> => new Set(letters.split("").map(idOf));

describe("quorumObstacle", () => {
  it.each([
    ["three healthy, one leaves", "a b c", "a", "abc", true],
    ["three, the sick one leaves", "a b c", "a", "bc", true],
    ["three, a healthy one leaves and another is sick", "a b c", "a", "ab", false],
    ["two, one leaves", "a b", "a", "ab", true],
    ["two, the other is sick", "a b", "a", "a", false],
    ["five with two sick, one of them leaves", "a b c d e", "a", "cde", true],
    ["a learner", "a b c d~", "a", "abcd", false],
    ["a learner that leaves itself", "a d~", "d", "a", true],
    ["a member that has not started", "a b c d?", "a", "abc", false],
    ["one that has not started and leaves itself", "a b c d?", "d", "abc", true],
    ["the first of two that have not started, and both are to leave", "a b c d? e?", "d", "abc", true],
    ["one that has not started, beside a learner", "a d? e~", "d", "a", true],
    ["the second of two that has not started and leaves itself", "a d?", "d", "a", true],
    ["a member of no Machine, which is not healthy", "a b x", "a", "ab", false],
    ["a member of no Machine beside two others", "a b c x", "a", "abc", true],
    ["one with an alarm", "a b x!", "a", "abx", false],
  ])("%s", (_, text, leaving, healthy, isSafe) => {
    expect(quorumObstacle(members(text), { leaving: idOf(leaving), healthy: ids(healthy) }) === undefined).toBe(isSafe);
  });
});

describe("quorumObstacle of a member that joins", () => {
  const isSafe = (all: string, healthy: string): boolean =>
    quorumObstacle(members(all), { leaving: undefined, healthy: ids(healthy), joining: 1 }) === undefined;

  it.each([
    ["one", "a", "a", true],
    ["two", "a b", "ab", true],
    ["two, one of them sick", "a b", "a", false],
    ["four, one of them sick", "a b c d", "abc", true],
    ["four, two of them sick", "a b c d", "ab", false],
    ["two beside one that has not finished", "a b c~", "abc", false],
  ])("%s", (_, all, healthy, expected) => expect(isSafe(all, healthy)).toBe(expected));

  it("never lets the healthy ones be less than a majority with the new one", () => {
    const letters = "abcdefg";
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), fc.nat(7), (count, sick) => {
        const all = letters.slice(0, count).split("").join(" ");
        const healthy = Math.max(0, count - sick);
        expect(isSafe(all, letters.slice(0, healthy))).toBe(healthy > (count + 1) / 2);
      }),
    );
  });
});

describe("nextStray", () => {
  const next = (all: string, abandoned: string, healthy: string): string | undefined => {
    const list = members(all);
    const found = nextStray(
      list,
      list.filter(({ id }) => ids(abandoned).has(id)),
      ids(healthy),
    );
    if (found === undefined) return undefined;
    return "remove" in found ? String.fromCharCode(Number(found.remove.id)) : found.obstacle;
  };

  it.each([
    ["nothing", "a b c", "", "abc", undefined],
    ["one that two others outlive", "a b x", "x", "ab", "x"],
    ["one beside a single other", "a x", "x", "a", "x"],
    ["what has not started before what has", "a x y?", "xy", "a", "y"],
    ["a learner before a voter", "a x y~", "xy", "a", "y"],
    ["what has not started whatever the others do", "a b y?", "y", "", "y"],
    ["one of two, while two others are the majority of what stays", "a b c x y", "xy", "abc", "x"],
    [
      "none, when what stays is no majority",
      "a b x",
      "x",
      "a",
      "etcd would lose quorum: 1 of 2 members would be healthy, 2 required",
    ],
    ["none, while a member of a Machine joins", "a b~ x", "x", "a", "an etcd member has not finished joining"],
  ])("%s", (_, all, abandoned, healthy, expected) => {
    expect(next(all, abandoned, healthy)).toBe(expected);
  });
});
