import { invalid, notFound, type Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { route } from "../api/route.ts";
import type { World } from "../world.ts";
import { regionPrices, regions, types } from "../seed.ts";
import { findInstance, typeOf } from "./instance-rules.ts";
import { balancerView } from "./node-balancers.ts";

const priced = (id: string, label: string, hourly: number, monthly: number | null) => ({
  id,
  label,
  price: { hourly, monthly },
  region_prices: regionPrices(hourly, monthly),
  transfer: 0,
});

const prices = {
  "nodebalancers/types": [priced("nodebalancer", "NodeBalancer", 0.015, 10)],
  "volumes/types": [priced("volume", "Storage Volume", 0.000_15, 0.1)],
  "object-storage/types": [priced("objectstorage", "Object Storage", 0.0075, 5)],
  "network-transfer/prices": [priced("network_transfer", "Network Transfer", 0.005, null)],
};

const way = { in: [], out: [], private_in: [], private_out: [] };

const statistics = (id: number) => ({
  title: `linode.com - my-linode (linode${id}) - day (5 min avg)`,
  data: { cpu: [], io: { io: [], swap: [] }, netv4: way, netv6: way },
});

/** The month of a path. */
const month = ({ year, month: number }: Readonly<Record<"year" | "month", string>>): void => {
  if (!/^20\d\d$/.test(year)) throw invalid("Must be 2000-2037", "year");
  if (!/^(?:[1-9]|1[0-2])$/.test(number)) throw invalid("Must be 1-12", "month");
};

/** Prices, and figures of use: nothing is ever used up here. */
export const figureRoutes: readonly Route<World>[] = [
  ...Object.entries(prices).map(([path, items]) =>
    collection({
      path,
      isPublic: true,
      filterable: ["label", "price.hourly", "price.monthly", "transfer"],
      list: () => items,
    }),
  ),
  route({
    method: "GET",
    path: "linode/instances/:id/stats",
    handle: (request, world) => {
      const { id, booted } = findInstance(request, world);
      if (!booted) throw invalid("Stats are unavailable at this time.");
      return statistics(id);
    },
  }),
  route({
    method: "GET",
    path: "linode/instances/:id/stats/:year/:month",
    handle: (request, world) => {
      month(request.params);
      return statistics(findInstance(request, world).id);
    },
  }),
  route({
    method: "GET",
    path: "linode/instances/:id/transfer",
    handle: (request, world) => ({ used: 0, quota: typeOf(findInstance(request, world).type).transfer, billable: 0 }),
  }),
  route({
    method: "GET",
    path: "linode/instances/:id/transfer/:year/:month",
    handle: (request, world) => {
      month(request.params);
      findInstance(request, world);
      return { bytes_in: 0, bytes_out: 0, bytes_total: 0 };
    },
  }),
  collection({
    path: "linode/instances/:id/nodebalancers",
    filterable: ["id", "label", "region", "tags", "ipv4"],
    list: (request, world) => {
      const { address } = findInstance(request, world);
      return world.state.nodeBalancers
        .filter(({ configs }) =>
          configs.some(({ nodes }) => nodes.some((node) => node.address.startsWith(`${address}:`))),
        )
        .map((balancer) => balancerView(balancer, world.state));
    },
  }),
  route({
    method: "GET",
    path: "regions/:id/availability",
    isPublic: true,
    handle: ({ params }) => {
      if (!regions.some(({ id }) => id === params.id)) throw notFound();
      return types.map(({ id }) => ({ region: params.id, plan: id, available: true }));
    },
  }),
];
