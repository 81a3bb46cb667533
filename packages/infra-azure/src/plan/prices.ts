import type { PlannedResourceV1 } from "@capstan/contract/v1";
import { resourceTypes } from "../arm/resource-id.ts";
import type { DefaultedMachine } from "../machine/machine-defaults.ts";

/** Prices of a location, in USD. */
interface LocationPrices {
  /** An hour of a virtual machine with Linux, paid as it is used, by its size. */
  readonly sizes: Readonly<Record<string, number>>;
  /** A month of a disk of Premium SSD (LRS), by the GiB that it may have at most. */
  readonly premiumDisks: readonly (readonly [gibibytes: number, monthly: number])[];
}

/** Hours that Azure counts for a month. */
const hours = 730;

/**
 * List prices of the sizes that flavors and examples name, and of larger ones of their series; others have none here. Whoever adds or
 * corrects one looks it up at https://prices.azure.com/api/retail/prices, by `armRegionName` and with `priceType eq 'Consumption'`.
 */
const locations: Readonly<Record<string, LocationPrices>> = {
  eastus: {
    sizes: { Standard_D2s_v3: 0.096, Standard_D4s_v3: 0.192, Standard_D8s_v3: 0.384, Standard_D16s_v3: 0.768 },
    premiumDisks: [
      [32, 5.28],
      [64, 10.21],
      [128, 19.71],
      [256, 38.02],
      [512, 73.22],
    ],
  },
  westeurope: {
    sizes: { Standard_D2s_v3: 0.12, Standard_D4s_v3: 0.24, Standard_D8s_v3: 0.48, Standard_D16s_v3: 0.96 },
    premiumDisks: [
      [32, 5.81],
      [64, 11.23],
      [128, 21.68],
      [256, 41.82],
      [512, 80.54],
    ],
  },
};

/** An hour of what costs the same everywhere, by its type: a load balancer with up to five rules, a NAT gateway, a static address. */
const hourly: Readonly<Record<string, number>> = {
  [resourceTypes.loadBalancer.type]: 0.025,
  [resourceTypes.natGateway.type]: 0.045,
  [resourceTypes.publicIP.type]: 0.005,
};

type Price = PlannedResourceV1["price"];

const usd = (monthly: number): Price => ({ monthly: Math.round(monthly * 100) / 100, currency: "USD" });

/** A month of a part of a cluster's network. `undefined`: it costs nothing, or by what goes through it. */
export const priceOfPart = (type: string): Price => {
  const price = hourly[type];
  return price === undefined ? undefined : usd(price * hours);
};

type Disk = {
  readonly diskSizeGB?: number | undefined;
  readonly managedDisk?: { readonly storageAccountType?: string };
};

/** Sizes that take Premium SSD get it where no type is given. The size of an image's own disk is not known. */
const diskPrice = ({ premiumDisks }: LocationPrices, { diskSizeGB, managedDisk }: Disk): number | undefined =>
  (managedDisk?.storageAccountType ?? "Premium_LRS") === "Premium_LRS" && diskSizeGB !== undefined
    ? premiumDisks.find(([gibibytes]) => diskSizeGB <= gibibytes)?.[1]
    : undefined;

/** A month of a virtual machine with its disks; spot instances cost what the market says. `undefined`: some of it is not known. */
export const priceOfMachine = (spec: DefaultedMachine, location: string): Price => {
  const prices = Object.hasOwn(locations, location) ? locations[location] : undefined;
  const size = prices?.sizes[spec.vmSize];
  if (prices === undefined || size === undefined || spec.spotVMOptions !== undefined) return undefined;
  const disks = [...(spec.osDisk.diffDiskSettings === undefined ? [spec.osDisk] : []), ...spec.dataDisks];
  const sums = disks.map((disk) => diskPrice(prices, disk as Disk));
  return sums.includes(undefined)
    ? undefined
    : usd(sums.reduce<number>((sum, price) => sum + (price ?? 0), size * hours));
};
