import { describe, expect, it } from "vitest";
import { parseRange, remediationGate } from "./remediation-gate.ts";

describe("remediationGate", () => {
  it.each([
    // limit, expected, healthy, state, remaining
    [undefined, 3, 0, "open", 0],
    [undefined, 3, 2, "open", 2],
    [undefined, 0, 0, "open", 0],
    [2, 5, 3, "open", 0],
    [2, 5, 2, "closed", 0],
    [2, 5, 5, "open", 2],
    [0, 5, 5, "open", 0],
    [0, 5, 4, "closed", 0],
    // 40 % of 5 is 2, 60 % of 7 is 4.2 and rounded down.
    ["40%", 5, 3, "open", 0],
    ["40%", 5, 2, "closed", 0],
    ["60%", 7, 3, "open", 0],
    ["60%", 7, 2, "closed", 0],
    ["33%", 3, 2, "closed", 0],
    ["0%", 3, 3, "open", 0],
  ] as const)("limit %s of %s Machines with %s healthy: %s", (limit, expected, healthy, state, remaining) => {
    const triggerIf = limit === undefined ? undefined : { unhealthyLessThanOrEqualTo: limit };
    expect(remediationGate(triggerIf, { expected, healthy })).toMatchObject({ state, remaining });
  });

  it.each([
    ["[1-2]", 5, 5, "closed", 0],
    ["[1-2]", 5, 4, "open", 1],
    ["[1-2]", 5, 3, "open", 0],
    ["[1-2]", 5, 2, "closed", 0],
    ["[0-0]", 5, 5, "open", 0],
  ] as const)(
    "range %s of %s Machines with %s healthy: %s",
    (unhealthyInRange, expected, healthy, state, remaining) => {
      // A limit beside a range counts for nothing.
      const triggerIf = { unhealthyInRange, unhealthyLessThanOrEqualTo: 0 };
      expect(remediationGate(triggerIf, { expected, healthy })).toMatchObject({ state, remaining });
    },
  );

  it("says by how much", () => {
    expect(remediationGate({ unhealthyLessThanOrEqualTo: "40%" }, { expected: 5, healthy: 2 })).toMatchObject({
      message:
        "Remediation is not allowed: 3 of 5 Machines are not started or unhealthy, which is more than spec.remediation.triggerIf.unhealthyLessThanOrEqualTo 40%",
    });
  });

  it.each([
    { unhealthyLessThanOrEqualTo: "some" },
    { unhealthyLessThanOrEqualTo: "-1%" },
    { unhealthyLessThanOrEqualTo: -1 },
    { unhealthyInRange: "[3-1]" },
    { unhealthyInRange: "1-2" },
  ])("lets nothing through by %j", (triggerIf) => {
    expect(remediationGate(triggerIf, { expected: 1, healthy: 0 })).toMatchObject({ state: "unreadable" });
  });
});

describe("parseRange", () => {
  it.each([
    ["[0-10]", { min: 0, max: 10 }],
    ["[2-2]", { min: 2, max: 2 }],
    ["[2-1]", undefined],
    ["[-1-2]", undefined],
    ["[1-99999999999999999999]", undefined],
  ])("%s", (text, expected) => expect(parseRange(text)).toEqual(expected));
});
