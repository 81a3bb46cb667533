import { integer, invalid, list, notFound, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { route } from "../api/route.ts";
import type { SimulatorState } from "../state.ts";
import type { World } from "../world.ts";
import { reservedAddresses } from "./addresses.ts";
import { domainView } from "./domains.ts";
import { instanceView } from "./instance-views.ts";
import { balancerView } from "./node-balancers.ts";
import { volumeView } from "./volumes.ts";

type Tagged = { readonly id: number; tags: readonly string[] };

type Item = { tags?: readonly string[] };

interface Kind {
  readonly type: string;
  readonly field: "linodes" | "domains" | "nodebalancers" | "volumes" | "reserved_ipv4_addresses";
  /** Each with what requests name it by, and what the API shows of it. */
  readonly of: (
    state: SimulatorState,
  ) => readonly { readonly key: number | string; readonly item: Item; readonly shown: () => object }[];
}

const kind = <T extends Tagged>(
  type: string,
  field: Kind["field"],
  all: (state: SimulatorState) => readonly T[],
  show: (item: T, state: SimulatorState) => object,
): Kind => ({
  type,
  field,
  of: (state) => all(state).map((item) => ({ key: item.id, item, shown: () => show(item, state) })),
});

const kinds: readonly Kind[] = [
  kind("linode", "linodes", ({ instances }) => instances, instanceView),
  kind("domain", "domains", ({ domains }) => domains, domainView),
  kind("nodebalancer", "nodebalancers", ({ nodeBalancers }) => nodeBalancers, balancerView),
  kind("volume", "volumes", ({ volumes }) => volumes, volumeView),
  {
    type: "reserved_ipv4_address",
    field: "reserved_ipv4_addresses",
    of: (state) =>
      state.reservedIps.map((item) => ({
        key: item.address,
        item,
        shown: () => reservedAddresses(state).find(({ address }) => address === item.address) ?? {},
      })),
  },
];

const taggable = (state: SimulatorState) =>
  kinds.flatMap(({ type, of }) => of(state).map((each) => ({ type, ...each })));

const labels = (state: SimulatorState): readonly string[] =>
  [...new Set([...state.tags, ...taggable(state).flatMap(({ item }) => item.tags ?? [])])].sort();

const ids = list(integer);

/** Tags are those that things have, and those that were made without any. */
export const tagRoutes: readonly Route<World>[] = [
  collection({
    path: "tags",
    filterable: ["label"],
    list: (_request, { state }) => labels(state).map((label) => ({ label })),
  }),
  route({
    method: "POST",
    path: "tags",
    body: object(
      {
        label: text({ min: 3, max: 50 }),
        linodes: ids,
        domains: ids,
        nodebalancers: ids,
        volumes: ids,
        reserved_ipv4_addresses: list(text({ format: "ipv4" })),
      },
      ["label"],
    ),
    handle: ({ body: { label, ...wanted } }, { state }) => {
      if (labels(state).includes(label)) throw invalid("Tag already exists", "label");
      for (const { field, of } of kinds) {
        for (const id of wanted[field] ?? []) {
          const found = of(state).find(({ key }) => key === id);
          if (found === undefined) throw invalid("Nothing by that ID was found", field);
          found.item.tags = [...(found.item.tags ?? []), label];
        }
      }
      state.tags.push(label);
      return { label };
    },
  }),
  collection({
    path: "tags/:label",
    filterable: [],
    list: ({ params }, { state }) => {
      const label = params["label"] ?? "";
      if (!labels(state).includes(label)) throw notFound();
      return taggable(state)
        .filter(({ item }) => item.tags?.includes(label) === true)
        .map(({ type, shown }) => ({ type, data: shown() }));
    },
  }),
  route({
    method: "DELETE",
    path: "tags/:label",
    handle: ({ params: { label } }, { state }) => {
      if (!labels(state).includes(label)) throw notFound();
      state.tags = state.tags.filter((each) => each !== label);
      for (const { item } of taggable(state)) item.tags = (item.tags ?? []).filter((each) => each !== label);
      return {};
    },
  }),
];
