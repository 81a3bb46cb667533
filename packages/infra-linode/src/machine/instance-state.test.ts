import { expect, it } from "vitest";
import { phaseOf, stateReason } from "./instance-state.ts";

it.each([
  ["running", "running"],
  ["offline", "offline"],
  ["deleting", "deleting"],
  ["provisioning", "changing"],
  ["shutting_down", "changing"],
  ["resizing", "changing"],
  ["billing_suspension", "stopped"],
  ["something_new", "stopped"],
])("%s is %s", (status, phase) => {
  expect(phaseOf({ status })).toBe(phase);
});

it("names states as reasons", () => {
  expect(stateReason("billing_suspension")).toBe("BillingSuspension");
  expect(stateReason("offline")).toBe("Offline");
});
