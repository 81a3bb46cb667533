import { Group } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, machine } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { deprecatedMachineConditions } from "./deprecated-conditions.ts";
import type { Node } from "../object/workload-kinds.ts";

const external = (kind: string, status: object, deleted = false): ExternalObservation => ({
  state: "found",
  external: {
    contract: "v1beta2",
    resource: { group: Group.infrastructure, version: "v1", kind, plural: "x", namespaced: true },
    object: {
      apiVersion: `${Group.infrastructure}/v1`,
      kind,
      metadata: { name: "m", ...(deleted && { deletionTimestamp: at(9) }) },
      status,
    },
  },
});

const missing = (kind: string): ExternalObservation => ({
  state: "missing",
  reference: { apiGroup: Group.infrastructure, kind, name: "m" },
});

type Scope = Parameters<typeof deprecatedMachineConditions>[0];

const made = { bootstrap: { dataSecretName: "data" }, providerID: "test://m" };
const good: Partial<Scope> = {
  machine: machine({ spec: { ...made, bootstrap: { ...machine().spec.bootstrap, ...made.bootstrap } } }),
  bootstrap: external("Config", { initialization: { dataSecretCreated: true } }),
  infrastructure: external("Infra", { initialization: { provisioned: true } }),
  node: { state: "found", node: { status: { conditions: [{ type: "Ready", status: "True" }] } } as unknown as Node },
};

const from = (more: Partial<Scope>) => {
  const scope: Scope = {
    machine: machine(),
    bootstrap: external("Config", {}),
    infrastructure: external("Infra", {}),
    node: { state: "not-inspected" },
    deletion: undefined,
    deletionSteps: new Map(),
    ...more,
  };
  return Object.fromEntries(
    deprecatedMachineConditions(scope).map(({ type, status, mirrors, ...input }) => {
      const { reason, severity } = mirrors ?? input;
      return [type, [status, reason, severity].filter((part) => part !== undefined && part !== "").join(" ")];
    }),
  );
};

const gone = (given: Machine): Machine => ({ ...given, metadata: { ...given.metadata, deletionTimestamp: at(9) } });

describe("deprecatedMachineConditions", () => {
  it("says what older clients wait for, and how many steps are done", () => {
    expect(from({})).toEqual({
      Ready: "False WaitingForInfrastructure Info",
      BootstrapReady: "False WaitingForDataSecret Info",
      InfrastructureReady: "False WaitingForInfrastructure Info",
      NodeHealthy: "False WaitingForNodeRef Info",
    });
  });

  it("says that all is well", () => {
    expect(from(good)).toEqual({
      Ready: "True",
      BootstrapReady: "True",
      InfrastructureReady: "True",
      NodeHealthy: "True",
    });
  });

  it("has the condition of the provider with its severity, and the worst of all is Ready", () => {
    const failed = {
      type: "Ready",
      status: "False",
      severity: "Error",
      reason: "OutOfDisks",
      lastTransitionTime: at(0),
    };
    expect(from({ ...good, infrastructure: external("Infra", { conditions: [failed] }) })).toMatchObject({
      InfrastructureReady: "False OutOfDisks Error",
      Ready: "False OutOfDisks Error",
    });
  });

  it("leaves alone what cannot be read", () => {
    const unreadable = { bootstrap: missing("Config"), infrastructure: missing("Infra") };
    expect(from({ ...good, ...unreadable, node: { state: "unreachable" } })).toEqual({});
  });

  it.each([
    [{ state: "missing", anonymous: 0 }, undefined, "False NodeProvisioning Warning"],
    [{ state: "missing", anonymous: 0 }, { name: "n" }, "False NodeNotFound Error"],
    [{ state: "unreadable" }, undefined, "Unknown NodeInspectionFailed"],
  ] as const)("of a Node that is %j after %j says %s", (node, nodeRef, expected) => {
    const present = { ...good.machine!, status: nodeRef === undefined ? {} : { nodeRef } };
    expect(from({ ...good, machine: present, node })).toMatchObject({ NodeHealthy: expected });
  });

  it.each([
    [{ Ready: "False", MemoryPressure: "Unknown" }, "False NodeConditionsFailed Warning"],
    [{ Ready: "Unknown", DiskPressure: "Unknown" }, "True"],
    [{ Ready: "True", constructor: "True" }, "True"],
    [
      { Ready: "Unknown", MemoryPressure: "Unknown", DiskPressure: "Unknown", PIDPressure: "Unknown" },
      "Unknown NodeConditionsFailed",
    ],
    [{ Ready: "True", Mine: "True" }, "True"],
  ] as const)("of a Node with %j says %s", (conditions, expected) => {
    const list = Object.entries(conditions).map(([type, status]) => ({ type, status }));
    const node = { status: { conditions: list } } as unknown as Node;
    expect(from({ ...good, node: { state: "found", node } })).toMatchObject({ NodeHealthy: expected });
  });

  it("counts what a health check says, which is said in the older generation by the check itself", () => {
    const conditions = [
      {
        type: "HealthCheckSucceeded",
        status: "False",
        severity: "Warning",
        reason: "UnhealthyNode",
        lastTransitionTime: at(0),
      },
    ] as const;
    const ill = { ...good.machine!, status: { deprecated: { v1beta1: { conditions } } } };
    expect(from({ ...good, machine: ill })).toMatchObject({
      Ready: "False UnhealthyNode Warning",
      NodeHealthy: "True",
    });
  });

  it("follows a deletion to its end", () => {
    const leaving = gone(good.machine!);
    const infrastructure = external("Infra", {}, true);
    expect(from({ ...good, machine: leaving, infrastructure })).toMatchObject({
      InfrastructureReady: "False Deleting Info",
      NodeHealthy: "False Deleting Info",
      Ready: "False Deleting Info",
    });
    const bootstrapLeft = { reason: "WaitingForBootstrapDeletion", message: "" };
    expect(
      from({ ...good, machine: leaving, infrastructure: missing("Infra"), deletion: bootstrapLeft }),
    ).toMatchObject({
      InfrastructureReady: "False Deleted Info",
      BootstrapReady: "True",
    });
    const nothing = { bootstrap: missing("Config"), infrastructure: missing("Infra") };
    const nodeLeft = { reason: "DeletingNode", message: "" };
    expect(from({ ...good, ...nothing, machine: leaving, deletion: nodeLeft })).toMatchObject({
      BootstrapReady: "False Deleted Info",
      NodeHealthy: "False DeletionFailed Warning",
    });
  });

  it("has the steps of a deletion as they are, of which the drain counts", () => {
    const steps = [
      { type: "PreDrainDeleteHookSucceeded", status: "True", reason: "" },
      { type: "DrainingSucceeded", status: "False", severity: "Warning", reason: "DrainingFailed" },
    ] as const;
    const deletionSteps = new Map(steps.map((step) => [step.type, step]));
    expect(from({ ...good, machine: gone(good.machine!), deletionSteps })).toMatchObject({
      PreDrainDeleteHookSucceeded: "True",
      DrainingSucceeded: "False DrainingFailed Warning",
      Ready: "False DrainingFailed Warning",
    });
  });
});
