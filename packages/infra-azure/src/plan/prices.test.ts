import { expect, it } from "vitest";
import { resourceTypes } from "../arm/resource-id.ts";
import { defaultedMachine, type MachineSpec } from "../machine/machine-defaults.ts";
import { priceOfMachine, priceOfPart } from "./prices.ts";

const machine = (more: object = {}) =>
  defaultedMachine({ vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux", diskSizeGB: 128 }, ...more } as MachineSpec);

const premium = { managedDisk: { storageAccountType: "Premium_LRS" } };

it.each<[string, object, string, number | undefined]>([
  ["a size and its disk", {}, "westeurope", 109.28],
  ["the same elsewhere", {}, "eastus", 89.79],
  ["data disks too", { dataDisks: [{ nameSuffix: "etcd", diskSizeGB: 256, ...premium }] }, "westeurope", 151.1],
  [
    "no disk that is the host's own",
    { osDisk: { diskSizeGB: 64, diffDiskSettings: { option: "Local" } } },
    "eastus",
    70.08,
  ],
  ["nothing for another location", {}, "northeurope", undefined],
  ["nothing for another size", { vmSize: "Standard_E2s_v5" }, "westeurope", undefined],
  ["nothing for spot instances", { spotVMOptions: {} }, "westeurope", undefined],
  ["nothing for a disk of unknown size", { osDisk: { osType: "Linux" } }, "westeurope", undefined],
  [
    "nothing for other disks",
    { osDisk: { diskSizeGB: 64, managedDisk: { storageAccountType: "Standard_LRS" } } },
    "westeurope",
    undefined,
  ],
])("prices %s", (_, more, location, monthly) => {
  expect(priceOfMachine(machine(more), location)?.monthly).toBe(monthly);
});

it("prices what is in the network by the hour, and nothing that costs nothing", () => {
  const types = [
    resourceTypes.loadBalancer,
    resourceTypes.natGateway,
    resourceTypes.publicIP,
    resourceTypes.routeTable,
  ];
  expect(types.map(({ type }) => priceOfPart(type)?.monthly)).toEqual([18.25, 32.85, 3.65, undefined]);
});
