import { expect, it } from "vitest";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { machineStages } from "./stages.ts";

const machine = (spec: Partial<LinodeMachine["spec"]>, metadata: object = {}): LinodeMachine => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
  kind: "LinodeMachine",
  metadata: { name: "m", ...metadata },
  spec: { region: "us-sea", type: "g6-standard-1", interfaceGeneration: "legacy_config", ...spec },
});

const names = (object: LinodeMachine): readonly string[] => machineStages(object).map(({ name }) => name);

it("counts only what the machine goes through", () => {
  expect(names(machine({}))).toEqual(["provisioning", "configuring", "booting"]);
  const dataDisks = { sdc: { size: "10G" } };
  expect(names(machine({ dataDisks }))).toEqual(["provisioning", "creating data disks", "configuring", "booting"]);
  expect(names(machine({ dataDisks }, { deletionTimestamp: "2026-01-01T00:00:00Z" }))).toEqual(["deleting"]);
});
