import type { Clock } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "../arm/arm-client.ts";
import { allPages } from "../arm/pages.ts";

/** A size of virtual machines, or a kind of availability sets, in one location. */
export interface VirtualMachineSku {
  readonly type: "virtualMachines" | "availabilitySets";
  readonly name: string;
  /** Zones that have it and that the subscription may use; none where the location as a whole is restricted. */
  readonly zones: readonly string[];
  /** Zones in which ultra disks may be attached. */
  readonly ultraZones: readonly string[];
  /** The subscription may not use it in this location. */
  readonly isRestricted: boolean;
  /** As Azure names them, for example `vCPUs`. */
  readonly capabilities: Readonly<Record<string, string>>;
}

const skusVersion = "2021-07-01";
const keptMs = 24 * 3_600_000;
const maxKept = 128;

type Json = Readonly<Record<string, unknown>>;

const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

const same = (left: unknown, right: string): boolean =>
  typeof left === "string" && left.toLowerCase() === right.toLowerCase();

const types = ["virtualMachines", "availabilitySets"] as const;

/** Zones with ultra disks, as the details of zones say. */
const ultraZonesOf = (info: Json | undefined): readonly string[] =>
  objects(info?.["zoneDetails"]).flatMap((detail) =>
    objects(detail["capabilities"]).some(({ name, value }) => same(name, "UltraSSDAvailable") && same(value, "true"))
      ? texts(detail["Name"] ?? detail["name"])
      : [],
  );

/** Parses a list of sizes; returns one entry for each size of virtual machines or availability sets in a location. */
export const readSkus = (items: readonly unknown[], location: string): readonly VirtualMachineSku[] =>
  objects(items)
    .filter(({ locations }) => texts(locations).some((each) => same(each, location)))
    .flatMap((sku) => {
      const type = types.find((each) => same(sku["resourceType"], each));
      return type === undefined ? [] : [readSku(sku, type, location)];
    });

const readSku = (sku: Json, type: VirtualMachineSku["type"], location: string): VirtualMachineSku => {
  const info = objects(sku["locationInfo"]).find((entry) => same(entry["location"], location));
  const restrictions = objects(sku["restrictions"]);
  const isRestricted = restrictions.some((restriction) => restriction["type"] === "Location");
  const closed = restrictions.flatMap(({ restrictionInfo }) =>
    isJsonObject(restrictionInfo) ? texts(restrictionInfo["zones"]) : [],
  );
  const zones = isRestricted ? [] : texts(info?.["zones"]).filter((zone) => !closed.includes(zone));
  const capabilities = Object.fromEntries(
    objects(sku["capabilities"]).map(({ name, value }) => [String(name), String(value)]),
  );
  return { type, name: String(sku["name"]), zones, ultraZones: ultraZonesOf(info), isRestricted, capabilities };
};

/** Zones in which there is any size at all. */
export const zonesOf = (skus: readonly VirtualMachineSku[]): readonly string[] =>
  [...new Set(skus.flatMap(({ type, zones }) => (type === "virtualMachines" ? zones : [])))].toSorted();

interface Kept {
  readonly at: number;
  readonly skus: Promise<readonly VirtualMachineSku[]>;
}

/** The lists of sizes, which are megabytes each: read once in a day. */
export class SkuCatalogue {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(
    location: string,
    place: { readonly client: ArmClient; readonly subscription: string; readonly call: ArmCall },
  ): Promise<readonly VirtualMachineSku[]> {
    const key = `${place.subscription}/${location.toLowerCase()}`;
    const known = this.#kept.get(key);
    if (known !== undefined && this.#clock.now() - known.at < keptMs) return known.skus;
    const skus = this.#read(location, place);
    this.#kept.delete(key);
    this.#kept.set(key, { at: this.#clock.now(), skus });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    // Failures are not kept.
    skus.catch(() => this.#kept.delete(key));
    return skus;
  }

  async #read(
    location: string,
    {
      call,
      client,
      subscription,
    }: { readonly client: ArmClient; readonly subscription: string; readonly call: ArmCall },
  ): Promise<readonly VirtualMachineSku[]> {
    const doing = `list the sizes of ${location}`;
    const path = `/subscriptions/${subscription}/providers/Microsoft.Compute/skus`;
    const query = { $filter: `location eq '${location}'` };
    const { body } = await client.send("GET", path, { doing, apiVersion: skusVersion, query }, call);
    return readSkus(await allPages(client, body, doing, call), location);
  }
}

/** A size by its name, whatever its letter case. */
export const skuOf = (skus: readonly VirtualMachineSku[], size: string): VirtualMachineSku | undefined =>
  skus.find(({ name, type }) => type === "virtualMachines" && same(name, size));

const defaultFaultDomains = 2;

/** Over how many fault domains availability sets with managed disks are spread. */
export const faultDomainsOf = (skus: readonly VirtualMachineSku[]): number => {
  const aligned = skus.find(({ name, type }) => type === "availabilitySets" && same(name, "Aligned"));
  return Number(aligned?.capabilities["MaximumPlatformFaultDomainCount"] ?? defaultFaultDomains);
};
