import { MachineResource } from "@capstan/contract/wire";
import { referenced } from "@capstan/kit/engine";
import type { Referenced } from "@capstan/kit/engine";
import type { Waiting } from "@capstan/kit/resource";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import { cached } from "../thing/cached.ts";
import { namedObject, readyId } from "../thing/ready-thing.ts";

/** What a cluster refers to, and the Machines of its control plane. */
export const requirementUses = {
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

/** Ids at Linode of what a cluster is in, or what has to be there first. */
export const requirementsOf = ({
  object: { spec },
  uses,
}: Place):
  | { readonly vpcId: number | undefined; readonly firewallId: number | undefined }
  | { readonly waiting: Waiting } => {
  const vpcRef = namedObject(spec.vpcRef);
  const firewallRef = namedObject(spec.nodeBalancerFirewallRef);
  const vpc =
    spec.vpcID === undefined && vpcRef !== undefined
      ? readyId("spec.vpcRef", vpcRef, "LinodeVPC", uses.vpc.get(), (each) => each.spec.vpcID)
      : { id: spec.vpcID };
  if ("waiting" in vpc) return vpc;
  const given = spec.network?.nodeBalancerFirewallID;
  const firewall =
    given === undefined && firewallRef !== undefined
      ? readyId(
          "spec.nodeBalancerFirewallRef",
          firewallRef,
          "LinodeFirewall",
          uses.firewall.get(),
          (each) => each.spec.firewallID,
        )
      : { id: given };
  if ("waiting" in firewall) return firewall;
  return { vpcId: vpc.id, firewallId: firewall.id };
};

/** The VPC of a cluster, once there is nothing to wait for. */
export const vpcOf = (place: Place): number | undefined => {
  const outcome = requirementsOf(place);
  return "waiting" in outcome ? undefined : outcome.vpcId;
};
