import { Annotation } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, condition, machine, machineDeployment } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import { maxInFlight, planRemediation } from "./remediation-plan.ts";

interface Given {
  readonly created?: number;
  readonly healthy?: "True" | "False";
  readonly owner?: string | undefined;
  readonly leaving?: boolean;
  readonly forced?: boolean;
}

const given = (
  name: string,
  { created = 0, healthy = "False", owner = "WaitingForRemediation", leaving, forced }: Given = {},
): Machine =>
  machine({
    metadata: {
      name,
      creationTimestamp: at(created),
      ...(leaving === true ? { deletionTimestamp: at(9) } : {}),
      ...(forced === true ? { annotations: { [Annotation.remediateMachine]: "" } } : {}),
    },
    status: {
      conditions: [
        condition("HealthCheckSucceeded", healthy),
        ...(owner === "" ? [] : [condition("OwnerRemediated", "False", { reason: owner })]),
      ],
    },
  });

const names = (machines: readonly Machine[]): string => machines.map(({ metadata }) => metadata.name).join(" ");

const plan = (machines: readonly Machine[], limit = Number.POSITIVE_INFINITY, outgoing = false) => {
  const { recovered, refused, deferred, remediated } = planRemediation({ machines, outgoing, maxInFlight: limit });
  return [recovered, refused, deferred, remediated].map(names);
};

describe("planRemediation", () => {
  const old = given("old", { created: 1 });
  const young = given("young", { created: 2 });
  const twin = given("twin", { created: 1 });
  const forced = given("forced", { created: 0, forced: true });
  const gone = given("gone", { leaving: true, owner: "MachineDeleting" });
  it.each<[string, readonly string[], readonly string[]]>([
    ["nothing to do", plan([given("a", { healthy: "True", owner: "" }), given("b", { owner: "" })]), ["", "", "", ""]],
    ["all at once, the newest first", plan([old, young, twin]), ["", "", "", "young old twin"]],
    ["those a user asks for before them", plan([old, young, forced], 1), ["", "", "young old", "forced"]],
    ["those on their way count", plan([old, young, gone], 2), ["", "", "old", "young"]],
    ["none is allowed", plan([old, gone], 1), ["", "", "old", ""]],
    [
      "those deleted for another reason do not count",
      plan([old, given("x", { leaving: true, owner: "" })], 1),
      ["", "", "", "old"],
    ],
    ["an old set", plan([old, young], 5, true), ["", "young old", "", ""]],
    ["one is healthy again", plan([given("a", { healthy: "True" }), old]), ["a", "", "", "old"]],
  ])("with %s", (_, result, expected) => {
    expect(result).toEqual(expected);
  });
});

describe("maxInFlight", () => {
  it.each([
    [undefined, Number.POSITIVE_INFINITY],
    [2, 2],
    [0, 0],
    ["20%", 2],
    ["21%", 3],
  ])("of %j with ten replicas is %s", (limit, expected) => {
    const remediation = limit === undefined ? {} : { remediation: { maxInFlight: limit } };
    expect(maxInFlight(machineDeployment({ spec: { replicas: 10, ...remediation } }))).toBe(expected);
  });

  it("has no bound without a deployment", () => {
    expect(maxInFlight(undefined)).toBe(Number.POSITIVE_INFINITY);
  });
});
