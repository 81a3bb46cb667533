import { filter } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import { find, run } from "./guarded.ts";
import type { InstanceCalls } from "./linode-api.ts";
import { pageSize } from "./page-size.ts";

/** VLANs, and addresses in them. */
export const vlanCalls = ({
  instances,
  networking,
}: LinodeClient): Pick<InstanceCalls, "vlanAddresses" | "vlanMembers"> => ({
  vlanMembers: ({ label, region }, call) =>
    run(`look for VLAN ${label}`, async () => {
      const found = await networking.listVlans({ ...call, pageSize, filter: filter.eq("label", label) });
      return found.flatMap((vlan) => (vlan.region === region ? vlan.linodes : []));
    }),
  vlanAddresses: async (id, { label }, call) => {
    const instance = await find(`read instance ${id}`, () => instances.get(id, call));
    if (instance === undefined) return [];
    if (instance.interface_generation === "linode") {
      const all = await find(`list the interfaces of instance ${id}`, () => instances.listInterfaces(id, call));
      return (all ?? []).flatMap(({ vlan }) => (vlan?.vlan_label === label ? (vlan.ipam_address ?? []) : []));
    }
    const configs = await find(`read the configurations of instance ${id}`, () => instances.listConfigs(id, call));
    return (configs ?? []).flatMap(({ interfaces }) =>
      (interfaces ?? []).flatMap((each) =>
        each.purpose === "vlan" && each.label === label ? (each.ipam_address ?? []) : [],
      ),
    );
  },
});
