import { describe, expect, it } from "vitest";
import { at, machineDeployment, machineSet, ms } from "../../test/objects.ts";
import type { MachineDeployment } from "../api.ts";
import { availableDeployment, rollingOut } from "./status.ts";

type Strategy = NonNullable<NonNullable<MachineDeployment["spec"]["rollout"]>["strategy"]>;

const deployment = (replicas: number, strategy: Strategy): MachineDeployment =>
  machineDeployment({ spec: { replicas, rollout: { strategy } } });
const rolling = (maxUnavailable: number | string): Strategy => ({
  type: "RollingUpdate",
  rollingUpdate: { maxSurge: 1, maxUnavailable },
});

describe("availableDeployment", () => {
  it.each<[string, MachineDeployment, number | undefined, object]>([
    ["all", deployment(3, rolling(0)), 3, { status: "True", reason: "Available" }],
    [
      "one too few",
      deployment(3, rolling(0)),
      2,
      {
        status: "False",
        message:
          "2 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is 0, spec.replicas is 3)",
      },
    ],
    ["one too few, and that is allowed", deployment(3, rolling(1)), 2, { status: "True" }],
    ["a percentage, rounded down", deployment(5, rolling("50%")), 3, { status: "True" }],
    ["below it", deployment(5, rolling("50%")), 2, { status: "False" }],
    ["none wanted", deployment(0, rolling(0)), 0, { status: "True" }],
    [
      "OnDelete, which allows none to be missing",
      deployment(3, { type: "OnDelete" }),
      2,
      { status: "False", message: "2 available replicas, at least 3 required" },
    ],
    [
      "nothing known",
      deployment(3, rolling(0)),
      undefined,
      { status: "Unknown", reason: "WaitingForAvailableReplicasSet" },
    ],
  ])("with %s", (_, given, available, expected) => {
    expect(availableDeployment(given, available)).toMatchObject(expected);
  });

  it("names the deletion as the cause while it goes on", () => {
    const { metadata, ...rest } = deployment(3, rolling(0));
    const deleted = { ...rest, metadata: { ...metadata, deletionTimestamp: at(0) } };
    expect(availableDeployment(deleted, 1)).toMatchObject({ status: "False", message: "Deletion in progress" });
  });
});

const old = (replicas: number, version: string, failureDomain?: string) =>
  machineSet(
    { metadata: { name: version, creationTimestamp: at(0) }, status: { replicas } },
    { version, ...(failureDomain === undefined ? {} : { failureDomain }) },
  );

describe("rollingOut", () => {
  it("counts what is outdated, and says why, versions first", () => {
    expect(
      rollingOut(machineDeployment(), [old(2, "v1.33.4", "b"), old(1, "v1.32.0"), old(0, "v1.31.0")], ms(9)),
    ).toMatchObject({
      status: "True",
      reason: "RollingOut",
      message:
        "Rolling out 3 not up-to-date replicas\n* Version v1.32.0, v1.33.4 required\n* Failure domain b, (unset) required",
    });
  });

  it("names the time after which everything is replaced", () => {
    const again = machineDeployment({ spec: { rollout: { after: at(5) } } });
    expect(rollingOut(again, [old(1, "v1.33.4")], ms(9)).message).toBe(
      "Rolling out 1 not up-to-date replicas\n* MachineDeployment spec.rollout.after expired",
    );
  });

  it("is over when nothing of the old is left", () => {
    expect(rollingOut(machineDeployment(), [old(0, "v1.32.0")], ms(9))).toMatchObject({
      status: "False",
      reason: "NotRollingOut",
    });
  });
});
