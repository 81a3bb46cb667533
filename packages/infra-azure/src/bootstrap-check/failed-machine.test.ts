import { expect, it } from "vitest";
import { bootstrapOfFailed, isFailedByExtension } from "./failed-machine.ts";

const vm = (power: string, extensions: readonly (readonly string[])[]) => ({
  id: "/x",
  properties: {
    provisioningState: "Failed",
    instanceView: {
      statuses: [{ code: "ProvisioningState/failed" }, { code: `PowerState/${power}` }],
      extensions: extensions.map((codes) => ({ statuses: codes.map((code) => ({ code })) })),
    },
  },
});

it.each([
  ["it runs, and an extension failed", vm("running", [["ProvisioningState/failed/1"]]), true],
  [
    "it runs, and one of two failed",
    vm("running", [["ProvisioningState/succeeded"], ["ProvisioningState/failed/2"]]),
    true,
  ],
  ["no extension failed", vm("running", [["ProvisioningState/succeeded"]]), false],
  ["there is none", vm("running", []), false],
  ["it does not run", vm("stopped", [["ProvisioningState/failed/1"]]), false],
  ["nothing is known", { id: "/x" }, false],
])("a failure of an extension is told apart from one of the virtual machine: %s", (_name, machine, expected) => {
  expect(isFailedByExtension(machine)).toBe(expected);
});

const failedVm = (code: string, message = "") => ({
  id: "/x",
  properties: { instanceView: { statuses: [{ code, level: "Error", message }, { code: "PowerState/running" }] } },
});

it.each([
  [
    "a system that was too slow may still succeed",
    failedVm("ProvisioningState/failed/OSProvisioningTimedOut", "did not finish in time"),
    { state: "timedOut", cause: "OSProvisioningTimedOut: did not finish in time" },
  ],
  [
    "a system that could not be set up",
    failedVm("ProvisioningState/failed/OSProvisioningClientError", "bad custom data"),
    { state: "failed", cause: "OSProvisioningClientError: bad custom data" },
  ],
  [
    "nobody says why",
    failedVm("ProvisioningState/failed/OSProvisioningTimedOut"),
    { state: "timedOut", cause: "OSProvisioningTimedOut: the system did not report in time that it is up" },
  ],
  ["there was no room for it", failedVm("ProvisioningState/failed/AllocationFailed", "no room"), undefined],
  ["no code is given", failedVm("ProvisioningState/failed"), undefined],
  ["nothing is known", { id: "/x" }, undefined],
])("what a failed virtual machine says of its bootstrapping: %s", (_name, given, expected) => {
  expect(bootstrapOfFailed(given)).toEqual(expected);
});
