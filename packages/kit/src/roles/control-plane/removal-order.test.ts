import { expect, it } from "vitest";
import type { MemberCase } from "../../../test/control-plane/members.ts";
import { member } from "../../../test/control-plane/members.ts";
import { nextToRemove } from "./removal-order.ts";

const a: MemberCase = { name: "a", age: 1, domain: "x" };
const b: MemberCase = { name: "b", age: 2, domain: "x" };
const c: MemberCase = { name: "c", age: 3, domain: "y" };

it.each<[string, readonly MemberCase[], string | undefined]>([
  ["none of those that go already", [{ ...a, leaving: true }], undefined],
  ["the oldest", [c, b, a], "a"],
  ["what is out of date", [a, b, { ...c, outdated: true }], "c"],
  ["what is broken among that", [{ ...a, outdated: true }, b, { ...c, outdated: true, broken: true }], "c"],
  ["not what is broken and up to date", [a, b, { ...c, broken: true }], "a"],
  ["what a user marked, though it is up to date", [{ ...a, outdated: true }, b, { ...c, marked: true }], "c"],
  [
    "what a user marked and is out of date before that",
    [{ ...a, marked: true }, b, { ...c, marked: true, outdated: true }],
    "c",
  ],
])("%s", (_, members, expected) => {
  expect(nextToRemove(["x", "y"], members.map(member))?.machine.metadata.name).toBe(expected);
});
