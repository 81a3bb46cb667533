import { integer, invalid, list, notFound, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { route } from "../api/route.ts";
import type { SimulatorState } from "../state.ts";
import type { World } from "../world.ts";

const kinds = [
  { type: "linode", field: "linodes", of: ({ instances }: SimulatorState) => instances },
  { type: "domain", field: "domains", of: ({ domains }: SimulatorState) => domains },
  { type: "nodebalancer", field: "nodebalancers", of: ({ nodeBalancers }: SimulatorState) => nodeBalancers },
  { type: "volume", field: "volumes", of: ({ volumes }: SimulatorState) => volumes },
] as const;

type Tagged = { readonly id: number; tags: readonly string[] };

const taggable = (state: SimulatorState): readonly { readonly type: string; readonly item: Tagged }[] =>
  kinds.flatMap(({ type, of }) => of(state).map((item) => ({ type, item })));

const labels = (state: SimulatorState): readonly string[] =>
  [...new Set([...state.tags, ...taggable(state).flatMap(({ item }) => item.tags)])].sort();

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
    body: object({ label: text({ min: 3, max: 50 }), linodes: ids, domains: ids, nodebalancers: ids, volumes: ids }, [
      "label",
    ]),
    handle: ({ body: { label, ...wanted } }, { state }) => {
      if (labels(state).includes(label)) throw invalid("Tag already exists", "label");
      for (const { field, of } of kinds) {
        for (const id of wanted[field] ?? []) {
          const item: Tagged | undefined = of(state).find((each) => each.id === id);
          if (item === undefined) throw invalid("Nothing by that ID was found", field);
          item.tags = [...item.tags, label];
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
        .filter(({ item }) => item.tags.includes(label))
        .map(({ type, item }) => ({ type, data: item }));
    },
  }),
  route({
    method: "DELETE",
    path: "tags/:label",
    handle: ({ params: { label } }, { state }) => {
      if (!labels(state).includes(label)) throw notFound();
      state.tags = state.tags.filter((each) => each !== label);
      for (const { item } of taggable(state)) item.tags = item.tags.filter((each) => each !== label);
      return {};
    },
  }),
];
