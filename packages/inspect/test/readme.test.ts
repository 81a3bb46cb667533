import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";

const machine: KubeObject = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace: "default", name: "orchid-0", generation: 1 },
  status: {
    phase: "Provisioning",
    conditions: [
      {
        type: "Ready",
        status: "False",
        reason: "NotReady",
        message: "* InfrastructureReady: waiting for an address",
        lastTransitionTime: "2026-03-01T00:00:00Z",
      },
    ],
  },
};

it("shows the example of the README", async () => {
  const { rowOf, machinesVerdict } = await import("@capstan/inspect");

  const { state, detail, done } = rowOf(machine);
  // Provisioning, "InfrastructureReady: waiting for an address", false
  const { running, reasons } = machinesVerdict({ clusters: [], machines: [machine], owners: [], stored: [] });
  // false, ["Machine orchid-0: Provisioning: InfrastructureReady: waiting for an address"]

  expect({ state, detail, done }).toEqual({
    state: "Provisioning",
    detail: "InfrastructureReady: waiting for an address",
    done: false,
  });
  expect(running).toBe(false);
  expect(reasons).toEqual(["Machine orchid-0: Provisioning: InfrastructureReady: waiting for an address"]);
});
