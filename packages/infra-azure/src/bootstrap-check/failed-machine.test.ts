import { expect, it } from "vitest";
import { isFailedByExtension } from "./failed-machine.ts";

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
])("SEED-9: a virtual machine is failed by its extension alone: %s", (_name, machine, expected) => {
  expect(isFailedByExtension(machine)).toBe(expected);
});
