import { MachineResource } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import { peers, referenced, trustedIds } from "@capstan/kit/engine";
import type { Referenced } from "@capstan/kit/engine";
import type { Waiting } from "@capstan/kit/resource";
import { linodeClusterConditions } from "../api/linode-conditions.ts";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import { cached } from "../resource/cached.ts";
import { referenceConditions } from "../resource/reference-conditions.ts";
import type { Found } from "../resource/ready-resource.ts";
import { namedObject, readyId } from "../resource/ready-resource.ts";

/** Objects that a cluster refers to, and the Machines of its control plane. */
export const requirementUses = {
  clusters: peers(LinodeCluster),
  ids: trustedIds(),
  machines: cached(MachineResource),
  vpc: referenced<LinodeVPC, LinodeCluster>(LinodeVPC, ({ spec }) => namedObject(spec.vpcRef)),
  firewall: referenced<LinodeFirewall, LinodeCluster>(LinodeFirewall, ({ spec }) =>
    namedObject(spec.nodeBalancerFirewallRef),
  ),
};

interface Place {
  readonly object: LinodeCluster;
  readonly uses: { readonly vpc: Referenced<LinodeVPC>; readonly firewall: Referenced<LinodeFirewall> };
}

const vpcReference = ({ object: { spec }, uses }: Place): Found => {
  if (spec.vpcID !== undefined) return { id: spec.vpcID };
  const ref = namedObject(spec.vpcRef);
  return ref && readyId("spec.vpcRef", ref, "LinodeVPC", uses.vpc.get(), (each) => each.spec.vpcID);
};

/** The number 0 says that there is to be none. */
const firewallReference = ({ object: { spec }, uses }: Place): Found => {
  const given = spec.network?.nodeBalancerFirewallID;
  if (given !== undefined) return given === 0 ? undefined : { id: given };
  const ref = namedObject(spec.nodeBalancerFirewallRef);
  const field = "spec.nodeBalancerFirewallRef";
  return ref && readyId(field, ref, "LinodeFirewall", uses.firewall.get(), (each) => each.spec.firewallID);
};

/** Ids at Linode of what a cluster is in, or what has to be there first. */
export const requirementsOf = (
  place: Place,
): { readonly vpcId: number | undefined; readonly firewallId: number | undefined } | { readonly waiting: Waiting } => {
  const vpc = vpcReference(place);
  if (vpc !== undefined && "waiting" in vpc) return vpc;
  const firewall = firewallReference(place);
  if (firewall !== undefined && "waiting" in firewall) return firewall;
  return { vpcId: vpc?.id, firewallId: firewall?.id };
};

/** Returns the conditions for the objects that a cluster refers to. */
export const requirementConditions = (place: Place): readonly ConditionInput[] => [
  ...referenceConditions(linodeClusterConditions.vpcReady, vpcReference(place)),
  ...referenceConditions(linodeClusterConditions.firewallReady, firewallReference(place)),
];

/** The VPC of a cluster, once there is nothing to wait for. */
export const vpcOf = (place: Place): number | undefined => {
  const outcome = requirementsOf(place);
  return "waiting" in outcome ? undefined : outcome.vpcId;
};
