import { expect, it } from "vitest";
import { stackVersion } from "./stack-version.ts";

const group = "/subscriptions/s/resourceGroups/g";

it.each([
  [group, "2021-04-01", "2019-10-01"],
  [`${group}/resources`, "2021-04-01", "2019-10-01"],
  [`${group}/providers/Microsoft.Network/virtualNetworks/v/subnets/x`, "2024-05-01", "2018-11-01"],
  [`${group}/providers/Microsoft.Compute/virtualMachines/m`, "2024-07-01", "2020-06-01"],
  [`${group}/providers/Microsoft.Compute/disks/d`, "2024-03-02", "2019-07-01"],
  ["/subscriptions/s/providers/Microsoft.Compute/skus", "2021-07-01", "2019-04-01"],
  [`${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i`, "2023-01-31", "2018-11-30"],
  ["/subscriptions/s/providers/Microsoft.Authorization/roleAssignments/r", "2022-04-01", "2015-07-01"],
  [
    `${group}/providers/Microsoft.Compute/virtualMachines/m/providers/Microsoft.Resources/tags/default`,
    "2021-04-01",
    "2019-10-01",
  ],
  [
    `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/s/virtualMachines/0/networkInterfaces/n`,
    "2018-10-01",
    "2018-10-01",
  ],
])("%s is asked with %s at Azure, and with %s at Azure Stack", (path, atAzure, atStack) => {
  expect(stackVersion(path, atAzure)).toBe(atStack);
});
