import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { NamedId, NamedPlaces } from "../resource/foreign-ids.ts";
import { namedObject } from "../resource/ready-resource.ts";

type Spec = LinodeMachine["spec"];

const named = (field: string, id: number | undefined): readonly NamedId[] =>
  id === undefined || id === 0 ? [] : [{ field, id }];

/** The firewalls that a machine names by their ids. */
export const namedFirewalls = ({ firewallID, linodeInterfaces = [] }: Spec): readonly NamedId[] => [
  ...named("spec.firewallID", firewallID),
  ...linodeInterfaces.flatMap((entry, index) =>
    named(`spec.linodeInterfaces[${index}].firewallID`, entry.firewallID ?? entry.firewall_id),
  ),
];

/** Returns the places of a machine by the ids that it and its cluster name. */
export const namedPlaces = (spec: Spec, cluster: LinodeCluster["spec"] | undefined): NamedPlaces => {
  const { interfaces = [], linodeInterfaces = [], vpcID, vpcRef } = spec;
  const clusters = namedObject(vpcRef) === undefined ? cluster?.vpcID : undefined;
  const [vpc] = [...named("spec.vpcID", vpcID), ...named("LinodeCluster spec.vpcID", clusters)];
  return {
    vpc,
    subnets: [
      ...interfaces.flatMap(({ subnetId }, index) => named(`spec.interfaces[${index}].subnetId`, subnetId)),
      ...linodeInterfaces.flatMap(({ vpc: entry }, index) =>
        named(`spec.linodeInterfaces[${index}].vpc.subnetId`, entry?.subnetId ?? entry?.subnet_id),
      ),
    ],
    firewalls: namedFirewalls(spec),
  };
};
