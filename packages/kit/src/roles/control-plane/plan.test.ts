import { describe, expect, it } from "vitest";
import type { MemberCase } from "../../../test/control-plane/members.ts";
import { member } from "../../../test/control-plane/members.ts";
import { planControlPlane, type PlanInput } from "./plan.ts";

const a: MemberCase = { name: "a", age: 1, domain: "x" };
const b: MemberCase = { name: "b", age: 2, domain: "y" };
const c: MemberCase = { name: "c", age: 3, domain: "z" };
const d: MemberCase = { name: "d", age: 4, domain: "x" };
const old = (given: MemberCase): MemberCase => ({ ...given, outdated: true });

const planned = (
  members: readonly MemberCase[],
  { replicas = 3, maxSurge = 1, initialized = true }: Partial<Omit<PlanInput, "members" | "failureDomains">> = {},
): string => {
  const plan = planControlPlane({
    replicas,
    initialized,
    maxSurge,
    members: members.map(member),
    failureDomains: ["x", "y", "z"],
  });
  if (plan.action === "none") return "none";
  const what = plan.action === "scaleDown" ? plan.member.machine.metadata.name : plan.failureDomain;
  return `${plan.action} ${what}${plan.rollout ? " in a rollout" : ""}`;
};

describe("planControlPlane", () => {
  it.each<[string, readonly MemberCase[], Partial<PlanInput>, string]>([
    ["begins with one", [], {}, "initialize x"],
    ["makes none where none are wanted", [], { replicas: 0 }, "none"],
    ["does nothing for fewer than none", [a, b, c], { replicas: -1 }, "none"],
    ["adds in another domain", [a], {}, "scaleUp y"],
    ["adds where nothing is", [a, b], {}, "scaleUp z"],
    ["is content", [a, b, c], {}, "none"],
    ["waits for one that goes before it adds", [a, b, { ...c, leaving: true }], {}, "none"],
    ["adds one before the last may go", [{ ...a, leaving: true }], { replicas: 1 }, "scaleUp y"],
    ["adds one before all may go", [a, b, c].map((each) => ({ ...each, leaving: true })), {}, "scaleUp x"],
    ["adds none for what goes where none are wanted", [{ ...a, leaving: true }], { replicas: 0 }, "none"],
    [
      "lets the last go while there is no cluster",
      [{ ...a, leaving: true }],
      { replicas: 1, initialized: false },
      "none",
    ],
    ["takes the oldest out of the fullest domain", [a, b, c, d], {}, "scaleDown a"],
    ["goes down to one", [a, b, c], { replicas: 1 }, "scaleDown a"],
    ["adds a surplus before it replaces", [old(a), old(b), old(c)], {}, "scaleUp x in a rollout"],
    ["then takes the oldest that is out of date", [old(a), old(b), old(c), d], {}, "scaleDown a in a rollout"],
    ["replaces first where no surplus may be", [old(a), old(b), old(c)], { maxSurge: 0 }, "scaleDown a in a rollout"],
    ["fills up after that", [old(b), old(c)], { maxSurge: 0 }, "scaleUp x in a rollout"],
    ["replaces the only one after another came", [old(a)], { replicas: 1 }, "scaleUp y in a rollout"],
    ["and takes it then", [old(a), b], { replicas: 1 }, "scaleDown a in a rollout"],
    ["does not take what goes for out of date", [{ ...old(a), leaving: true }, b, c, d], {}, "scaleDown d"],
    ["replaces before it scales down", [old(a), b, c, d], { replicas: 1 }, "scaleDown a in a rollout"],
  ])("%s", (_, members, options, expected) => {
    expect(planned(members, options)).toBe(expected);
  });

  it.each([0, 1])("ends a rollout with surplus %i, with as many Machines as it may have at any time", (maxSurge) => {
    let members: readonly MemberCase[] = [old(a), old(b), old(c)];
    const counts = new Set<number>();
    for (let step = 0; step < 20; step += 1) {
      counts.add(members.length);
      const plan = planControlPlane({
        replicas: 3,
        initialized: true,
        maxSurge,
        members: members.map(member),
        failureDomains: ["x", "y", "z"],
      });
      if (plan.action === "none") break;
      const gone = plan.action === "scaleDown" ? plan.member.machine.metadata.name : undefined;
      const domain = plan.action === "scaleDown" ? undefined : plan.failureDomain;
      members =
        gone === undefined
          ? [...members, { name: `new-${step}`, age: 10 + step, ...(domain === undefined ? {} : { domain }) }]
          : members.filter(({ name }) => name !== gone);
    }
    expect(new Set(members.map(({ domain }) => domain))).toEqual(new Set(["x", "y", "z"]));
    expect(members).toHaveLength(3);
    expect(members.every(({ outdated }) => outdated !== true)).toBe(true);
    expect(counts).toEqual(new Set(maxSurge === 1 ? [3, 4] : [2, 3]));
  });
});
