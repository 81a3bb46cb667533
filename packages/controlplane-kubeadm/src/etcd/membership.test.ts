import { expect, it } from "vitest";
import type { EtcdMember } from "@capstan/kit/control-plane";
import { membershipOf, type MachineIdentity } from "./membership.ts";

/** `a@1` is the member a with the address 1; `@1` has not started; `~` at the end marks a learner. */
const members = (text: string): readonly EtcdMember[] =>
  text
    .split(" ")
    .filter((each) => each !== "")
    .map((each, index) => {
      const [, name = "", host = "", learner] = /^([^@]*)@([^~]*)(~?)$/.exec(each) ?? [];
      return { id: BigInt(index + 1), name, hosts: host === "" ? [] : [host], learner: learner === "~", alarms: [] };
    });

/** `m:a@1` is the Machine m with the Node a and the address 1. */
const machine = (text: string, more: Partial<MachineIdentity> = {}): MachineIdentity => {
  const [, name = "", node = "", addresses = ""] = /^([^:@]+):([^@]*)@(.*)$/.exec(text) ?? [];
  const mayJoin = node === "";
  return {
    machine: name,
    node: node === "" ? undefined : node,
    addresses: addresses === "" ? [] : addresses.split(","),
    mayJoin,
    isExpected: mayJoin,
    ...more,
  };
};
const leaving = { isExpected: false };
const unbooted = { mayJoin: false, isExpected: false };

it.each<
  [
    what: string,
    members: string,
    machines: readonly MachineIdentity[],
    matched: string,
    strays: readonly number[],
    abandoned: readonly number[],
  ]
>([
  ["by the names of Nodes", "a@1 b@2", [machine("m:a@"), machine("n:b@")], "m1 n2", [], []],
  ["by addresses while there is no Node", "a@1 b@2", [machine("m:a@"), machine("n:@2,9")], "m1 n2", [], []],
  ["by the name of the Machine at last", "a@1 n@2", [machine("m:a@"), machine("n:@")], "m1 n2", [], []],
  ["one that has not started, by its address", "a@1 @2", [machine("m:a@1"), machine("n:@2")], "m1 n2", [], []],
  ["one that has not started, by there being no other", "a@1 @2", [machine("m:a@1"), machine("n:@")], "m1 n2", [], []],
  [
    "none by there being no other, when there are two",
    "a@1 @2 @3",
    [machine("m:a@1"), machine("n:@")],
    "m1",
    [2, 3],
    [],
  ],
  ["a member of no Machine", "a@1 x@3", [machine("m:a@1")], "m1", [2], [2]],
  ["one of no Machine that has not started", "a@1 @3", [machine("m:a@1")], "m1", [2], [2]],
  ["nobody's while a Machine joins that could have it", "a@1 x@3", [machine("m:a@1"), machine("n:@")], "m1", [2], []],
  [
    "nobody's although a Machine joins, which has another",
    "a@1 x@3 @2~",
    [machine("m:a@1"), machine("n:@2")],
    "m1 n3",
    [2],
    [2],
  ],
  ["nobody's beside a Machine that goes", "a@1 x@3", [machine("m:a@1"), machine("n:@", leaving)], "m1", [2], [2]],
  ["nobody's beside one without data", "a@1 x@3", [machine("m:a@1"), machine("n:@", unbooted)], "m1", [2], [2]],
  ["that of a Machine that goes, not started", "a@1 @3", [machine("m:a@1"), machine("n:@", leaving)], "m1 n2", [], []],
  [
    "not one of an earlier machine at the address",
    "a@1 old@2 b@2",
    [machine("m:a@1"), machine("n:b@2")],
    "m1 n3",
    [2],
    [2],
  ],
  ["the new one at a reused address", "a@1 old@2 @2", [machine("m:a@1"), machine("n:@2")], "m1 n3", [2], [2]],
])("tells %s", (_, text, machines, matched, strays, abandoned) => {
  const found = membershipOf(members(text), machines);
  const numbers = (list: readonly EtcdMember[]) => list.map(({ id }) => Number(id));
  expect([...found.byMachine].map(([name, { id }]) => `${name}${id}`).join(" ")).toBe(matched);
  expect(numbers(found.strays)).toEqual(strays);
  expect(numbers(found.abandoned)).toEqual(abandoned);
});
