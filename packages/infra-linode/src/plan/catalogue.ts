import type { PlannedResourceV1 } from "@capstan/contract/v1";
import type { InstanceType, PricedType } from "@capstan/linode-client";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";

/** Lookups of names in specs, each made once. */
export interface Catalogue {
  /** Returns what is wrong with the names in a spec, each with its field. */
  problems(spec: Named): Promise<readonly string[]>;
  type(id: string): Promise<InstanceType | undefined>;
  /** Returns the price of an instance of a plan in a region; empty for a plan that does not exist. */
  instancePrice(type: string, region: string): Promise<Price>;
  /** The same of a NodeBalancer. */
  balancerPrice(region: string): Promise<Price>;
}

type Price = Pick<PlannedResourceV1, "price">;

/** Names that the cloud can check. */
export interface Named {
  readonly region: string;
  readonly type?: string | undefined;
  readonly image?: string | undefined;
  readonly vpcID?: number | undefined;
}

const currency = "USD";

/** Some regions have prices of their own. */
const priceIn = (region: string, of: Partial<Pick<PricedType, "price" | "region_prices">> | undefined): Price => {
  const monthly = of?.region_prices?.find(({ id }) => id === region)?.monthly ?? of?.price?.monthly ?? undefined;
  return monthly === undefined ? {} : { price: { monthly, currency } };
};

/** The catalogue of an account. */
export const catalogue = (api: LinodeApi, call: Call): Catalogue => {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const reading = (known.get(name) as Promise<T> | undefined) ?? read();
    known.set(name, reading);
    return reading;
  };
  const types = () => once("types", () => api.types(call));
  const type = async (id: string): Promise<InstanceType | undefined> => (await types()).find((each) => each.id === id);
  return {
    type,
    instancePrice: async (id, region) => priceIn(region, await type(id)),
    balancerPrice: async (region) => {
      const [balancer] = await once("balancers", () => api.balancerTypes(call));
      return priceIn(region, balancer);
    },
    problems: async ({ region, type: plan, image, vpcID }) => {
      const regions = await once("regions", () => api.regions(call));
      const found: string[] = [];
      if (regions.every(({ id }) => id !== region)) {
        found.push(`spec.region: there is no region ${region}; there are ${regions.map(({ id }) => id).join(", ")}`);
      }
      if (plan !== undefined && (await type(plan)) === undefined) {
        found.push(`spec.type: there is no plan ${plan}; there are ${(await types()).map(({ id }) => id).join(", ")}`);
      }
      if (image !== undefined && (await once(`image ${image}`, () => api.image(image, call))) === undefined) {
        found.push(`spec.image: there is no image ${image} that this token may use; choose another`);
      }
      if (vpcID !== undefined && (await once(`vpc ${vpcID}`, () => api.vpc(vpcID, call))) === undefined) {
        found.push(`spec.vpcID: there is no VPC ${vpcID}; name one of this account`);
      }
      return found;
    },
  };
};
