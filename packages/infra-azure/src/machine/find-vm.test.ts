import { expect, it } from "vitest";
import { providerIDOf } from "./find-vm.ts";

it.each([
  ["/subscriptions/S/resourceGroups/Demo-RG/providers/Microsoft.Compute/virtualMachines/VM", "demo-rg"],
  ["/subscriptions/S/resourcegroups/DEMO-rg/providers/Microsoft.Compute/virtualMachines/VM", "demo-rg"],
])("the cloud provider knows %s by a group in lower case, and all else as it is", (id, group) => {
  const ending = "/providers/Microsoft.Compute/virtualMachines/VM";
  expect(providerIDOf(id)).toMatch(/^azure:\/\/\/subscriptions\/S\/resource[Gg]roups\//);
  expect(providerIDOf(id).endsWith(`/${group}${ending}`)).toBe(true);
});
