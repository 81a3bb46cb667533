import { describe, expect, it } from "vitest";
import type { MemberCase } from "../../../test/control-plane/members.ts";
import { member } from "../../../test/control-plane/members.ts";
import { domainForNew, leastMissed } from "./failure-domain.ts";

const inDomains = (...domains: readonly string[]): readonly MemberCase[] =>
  domains.map((domain, index) => ({ name: `m${index}`, age: index, domain }));

describe("domainForNew", () => {
  it.each<[string, readonly string[], readonly MemberCase[], string | undefined]>([
    ["none to choose", [], inDomains("x"), undefined],
    ["the first by name", ["b", "a"], [], "a"],
    ["the emptiest", ["x", "y", "z"], inDomains("x", "y", "x"), "z"],
    ["not counting what goes", ["x", "y"], [{ name: "a", domain: "x", leaving: true }, ...inDomains("y")], "x"],
    ["not counting what is replaced", ["x", "y"], [{ name: "a", domain: "x", outdated: true }, ...inDomains("y")], "x"],
    [
      "of equal ones the one with fewer at all",
      ["x", "y"],
      [
        { name: "a", domain: "x", outdated: true },
        { name: "b", domain: "x" },
        { name: "c", domain: "y" },
      ],
      "y",
    ],
    ["one that is new", ["x", "y"], inDomains("gone", "x"), "y"],
  ])("%s", (_, domains, members, expected) => {
    expect(domainForNew(domains, members.map(member))).toBe(expected);
  });
});

describe("leastMissed", () => {
  const names = (domains: readonly string[], all: readonly MemberCase[], eligible: readonly string[]): string => {
    const members = all.map(member);
    const chosen = members.filter(({ machine }) => eligible.includes(machine.metadata.name ?? ""));
    return leastMissed(domains, members, chosen)
      .map(({ machine }) => machine.metadata.name)
      .join();
  };

  it.each<[string, readonly string[], readonly MemberCase[], readonly string[], string]>([
    ["in the fullest domain", ["x", "y"], inDomains("x", "y", "x"), ["m0", "m1", "m2"], "m0,m2"],
    ["in the fullest that has an eligible one", ["x", "y"], inDomains("x", "y", "x"), ["m1"], "m1"],
    ["outside of all domains first", ["x"], inDomains("x", "x", "gone"), ["m0", "m1", "m2"], "m2"],
    ["all where there are no domains", [], inDomains("x", "y"), ["m0", "m1"], "m0,m1"],
  ])("%s", (_, domains, members, eligible, expected) => {
    expect(names(domains, members, eligible)).toBe(expected);
  });
});
