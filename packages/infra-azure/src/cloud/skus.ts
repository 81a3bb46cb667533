import type { Clock } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "../arm/arm-client.ts";
import { allPages } from "../arm/pages.ts";

/** A size of virtual machines in one location. */
export interface VirtualMachineSku {
  readonly name: string;
  /** Zones that have it and that the subscription may use; none where the location as a whole is restricted. */
  readonly zones: readonly string[];
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

/** What a list says of virtual machines in a location: one entry for each size. */
export const readSkus = (items: readonly unknown[], location: string): readonly VirtualMachineSku[] =>
  objects(items)
    .filter(({ resourceType }) => same(resourceType, "virtualMachines"))
    .filter(({ locations }) => texts(locations).some((each) => same(each, location)))
    .map((sku) => {
      const info = objects(sku["locationInfo"]).find((entry) => same(entry["location"], location));
      const restrictions = objects(sku["restrictions"]);
      const isRestricted = restrictions.some(({ type }) => type === "Location");
      const closed = restrictions.flatMap(({ restrictionInfo }) =>
        isJsonObject(restrictionInfo) ? texts(restrictionInfo["zones"]) : [],
      );
      const zones = isRestricted ? [] : texts(info?.["zones"]).filter((zone) => !closed.includes(zone));
      const capabilities = Object.fromEntries(
        objects(sku["capabilities"]).map(({ name, value }) => [String(name), String(value)]),
      );
      return { name: String(sku["name"]), zones, isRestricted, capabilities };
    });

/** Zones in which there is any size at all. */
export const zonesOf = (skus: readonly VirtualMachineSku[]): readonly string[] =>
  [...new Set(skus.flatMap(({ zones }) => zones))].toSorted();

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
  skus.find(({ name }) => name.toLowerCase() === size.toLowerCase());
