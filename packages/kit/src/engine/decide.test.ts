import { describe, expect, it } from "vitest";
import { decide, decideRemoval, type Decision, type Known } from "./decide.ts";
import type { Observation, Seen } from "./observation.ts";

const words = {
  staged: ({ reason, message }: { readonly reason: string; readonly message: string }) => `[${reason}] ${message}`,
  leaving: "the server is being deleted",
};
const fresh: Known = { noun: "the server", creates: true, wasCreated: false, words };

/** The decision in one line: the conditions' text, what comes next, and whether the object is broken. */
const line = ({ broken = false, next, verdict }: Decision): string => {
  const { leaving = false, message = "", ready = false, reason = "-", severity = "-" } = verdict ?? {};
  const said = `${ready ? "ready" : "not ready"} ${reason} ${severity}${leaving ? " leaving" : ""}: ${message}`;
  const then = next === undefined ? "end" : next.verb === "step" ? `step ${next.step}` : next.verb;
  return `${said} → ${then}${broken ? ", broken" : ""}`;
};

describe("an object that is to exist", () => {
  it.each<[string, Observation, Partial<Known>, string]>([
    [
      "nothing exists",
      { state: "absent" },
      {},
      "not ready Creating Info: [Creating] the server is being created → create",
    ],
    [
      "nothing exists, and something comes before it",
      { state: "absent", step: "claim", message: "one is free" },
      {},
      "not ready Claim Info: [Claim] one is free → step claim",
    ],
    [
      "nothing exists, and nothing can be made yet",
      { state: "absent", reason: "NoneFree", message: "all are taken" },
      {},
      "not ready NoneFree Info: [NoneFree] all are taken → end",
    ],
    [
      "the author creates nothing",
      { state: "absent" },
      { creates: false },
      "not ready InstanceMissing Error leaving: the server of this object no longer exists and is not recreated → end, broken",
    ],
    ...[{}, { step: "claim" }, { reason: "NoneFree" }].map((parts): [string, Observation, Partial<Known>, string] => [
      `it was created once and is gone (${Object.keys(parts).join() || "nothing asked"})`,
      { state: "absent", ...parts },
      { wasCreated: true },
      "not ready InstanceMissing Error leaving: the server of this object no longer exists and is not recreated → end, broken",
    ]),
    [
      "it proceeds by itself",
      { state: "pending", reason: "Booting", message: "its agent is awaited" },
      {},
      "not ready Booting Info: [Booting] its agent is awaited → end",
    ],
    [
      "it waits for us",
      { state: "pending", reason: "Offline", step: "boot" },
      {},
      "not ready Boot Info: [Boot]  → step boot",
    ],
    ["it is there", { state: "present" }, {}, "ready Ready Info:  → end"],
    ["it is there and differs", { state: "present", step: "rename" }, {}, "ready Ready Info:  → step rename"],
    [
      "it needs a user",
      { state: "failed", reason: "Suspended", message: "pay the bill" },
      {},
      "not ready Suspended Error: pay the bill → end, broken",
    ],
    [
      "it needs a user, and something can be done all the same",
      { state: "failed", reason: "Broken", message: "replace it", step: "stop" },
      {},
      "not ready Broken Error: replace it → step stop, broken",
    ],
    [
      "it is on its way out",
      { state: "removing" },
      {},
      "not ready Deleting Warning: [Deleting] the server is being deleted → end",
    ],
  ])("%s", (_case, observation, known, expected) => {
    expect(line(decide(observation, { ...fresh, ...known }))).toBe(expected);
  });
});

describe("a removal", () => {
  it.each<[string, Seen, string]>([
    ["it runs", { state: "present" }, "not ready - -:  → remove"],
    ["it is being made", { state: "pending", reason: "Booting" }, "not ready - -:  → remove"],
    ["it needs a user", { state: "failed", reason: "Broken", message: "replace it" }, "not ready - -:  → remove"],
    [
      "it goes by itself",
      { state: "removing", reason: "Wiping", message: "disks are wiped" },
      "not ready Wiping Warning leaving: [Wiping] disks are wiped → end",
    ],
    [
      "it goes by us",
      { state: "removing", step: "release" },
      "not ready Release Warning leaving: [Release] the server is being deleted → step release",
    ],
  ])("%s", (_case, seen, expected) => {
    expect(line(decideRemoval(seen, fresh))).toBe(expected);
  });
});
