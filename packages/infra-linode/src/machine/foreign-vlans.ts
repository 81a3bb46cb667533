import type { NamespaceGrant } from "@capstan/kit/engine";
import { marksIn } from "@capstan/kit/engine";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";
import { foreignPlace } from "../resource/foreign-ids.ts";
import type { VlanAddresses } from "./vlan-address.ts";

interface NamedVlan {
  readonly field: string;
  readonly label: string;
}

/** The VLANs that a machine names by their labels, and that of its cluster, which has the cluster's name. */
const namedVlans = (
  { interfaces = [], linodeInterfaces = [] }: LinodeMachine["spec"],
  clusterVlan: string | undefined,
): readonly NamedVlan[] => {
  const named = (field: string, label = ""): readonly NamedVlan[] => (label === "" ? [] : [{ field, label }]);
  return [
    ...named("LinodeCluster spec.network.useVlan", clusterVlan),
    ...interfaces.flatMap(({ label, purpose }, index) =>
      purpose === "vlan" ? named(`spec.interfaces[${index}].label`, label) : [],
    ),
    ...linodeInterfaces.flatMap(({ vlan }, index) =>
      named(`spec.linodeInterfaces[${index}].vlan.vlanLabel`, vlan?.vlanLabel ?? vlan?.vlan_label),
    ),
  ];
};

interface Asking {
  readonly api: Pick<LinodeApi, "listInstances" | "vlanMembers">;
  readonly call: Call;
  readonly identity: { readonly clusterName: string };
  readonly infraCluster: LinodeCluster | undefined;
  readonly object: LinodeMachine;
  readonly uses: { readonly ids: NamespaceGrant; readonly vlan: Pick<VlanAddresses, "marks"> };
}

/**
 * Throws `linode.owned_by_another` where an instance would join a VLAN of another namespace. VLANs bear no tags, and whoever knows a label joins:
 * one is another's while an instance is in it that has a mark of none of the namespace's machines.
 */
export const refuseForeignVlans = async (asking: Asking): Promise<void> => {
  const { api, call, identity, infraCluster, object, uses } = asking;
  if (uses.ids.has(object.metadata.namespace)) return;
  const { region } = object.spec;
  const clusterVlan = infraCluster?.spec.network?.useVlan === true ? identity.clusterName : undefined;
  for (const { field, label } of namedVlans(object.spec, clusterVlan)) {
    const members = new Set(await api.vlanMembers({ label, region }, call));
    if (members.size === 0) continue;
    const own = uses.vlan.marks();
    const inside = (await api.listInstances(call)).filter(({ id }) => members.has(id));
    const isForeign = inside.some(({ tags }) => marksIn(tags).some((mark) => !own.has(mark)));
    if (isForeign) throw foreignPlace(object, field, `VLAN ${label}`);
  }
};
