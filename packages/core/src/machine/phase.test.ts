import { describe, expect, it } from "vitest";
import { at, machine } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import type { MachinePhase } from "./phase.ts";
import { machinePhase } from "./phase.ts";

const created = { bootstrapDataSecretCreated: true };
const provisioned = { ...created, infrastructureProvisioned: true };
const node = { name: "n" };

describe("machinePhase", () => {
  it.each<[string, Parameters<typeof machine>[0], MachinePhase]>([
    ["nothing yet", {}, "Pending"],
    ["bootstrap data", { status: { initialization: created } }, "Provisioning"],
    [
      "infrastructure without bootstrap data",
      { status: { initialization: { infrastructureProvisioned: true } } },
      "Pending",
    ],
    ["a provider id", { spec: { providerID: "x://1" }, status: { initialization: provisioned } }, "Provisioned"],
    [
      "a provider id before provisioned",
      { spec: { providerID: "x://1" }, status: { initialization: created } },
      "Provisioned",
    ],
    ["a Node", { spec: { providerID: "x://1" }, status: { initialization: provisioned, nodeRef: node } }, "Running"],
    [
      "a Node without addresses",
      { spec: { providerID: "x://1" }, status: { initialization: provisioned, nodeRef: node, addresses: [] } },
      "Running",
    ],
    [
      "a Node before provisioned",
      { spec: { providerID: "x://1" }, status: { initialization: created, nodeRef: node } },
      "Provisioned",
    ],
    [
      "deletion",
      { metadata: { deletionTimestamp: at(9) }, status: { initialization: provisioned, nodeRef: node } },
      "Deleting",
    ],
  ])("with %s", (_, parts, expected) => {
    expect(machinePhase(machine(parts))).toBe(expected);
  });

  it("does not depend on the phase that is stored", () => {
    const phases: NonNullable<Machine["status"]>["phase"][] = ["Failed", "Running", "Deleting", "Unknown"];
    for (const phase of phases) {
      if (phase !== undefined) expect(machinePhase(machine({ status: { phase } }))).toBe("Pending");
    }
  });
});
