import type { Vlan } from "@capstan/linode-client";
import { invalid, notFound, type Route } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { given } from "../api/given.ts";
import { route } from "../api/route.ts";
import type { SimulatorState, StoredInstance, StoredVlan } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "../times.ts";

export const vlanRoutes: readonly Route<World>[] = [
  collection({
    path: "networking/vlans",
    filterable: ["label", "region"],
    list: (_request, { state }) => state.vlans.map((vlan) => vlanView(vlan, state)),
  }),
  route({
    method: "DELETE",
    path: "networking/vlans/:region/:label",
    handle: ({ params }, { state }) => {
      const gone = state.vlans.find(({ region, label }) => region === params.region && label === params.label);
      if (gone === undefined) throw notFound();
      if (vlanView(gone, state).linodes.length > 0) throw invalid("The VLAN is attached to a Linode");
      state.vlans = state.vlans.filter((vlan) => vlan !== gone);
      return {};
    },
  }),
];

const vlanView = (vlan: StoredVlan, { instances }: SimulatorState): Vlan => ({
  ...vlan,
  linodes: instances.flatMap((instance) =>
    instance.region === vlan.region && labelsOf(instance).includes(vlan.label) ? [instance.id] : [],
  ),
});

const labelsOf = ({ configs, linodeInterfaces }: StoredInstance): readonly (string | null)[] => [
  ...configs.flatMap(({ interfaces }) => interfaces.map(({ label }) => label)),
  ...linodeInterfaces.flatMap(({ vlan }) => (given(vlan) ? [vlan.vlan_label] : [])),
];

/** VLANs of a region. */
const maxVlans = 10;

/** A VLAN that is not there yet is made, as long as its region has room for it. */
export const joinVlan = (label: string, region: string, { state, clock }: World, field: string): void => {
  if (label.includes("--")) throw invalid("Must not have two hyphens in a row", field);
  const others = state.vlans.filter((vlan) => vlan.region === region);
  if (others.some((vlan) => vlan.label === label)) return;
  if (others.length >= maxVlans) throw invalid(`There are ${maxVlans} VLANs in this region already`, field);
  state.vlans.push({ label, region, created: apiTime(clock.now()) });
};
