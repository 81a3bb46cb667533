import type { PlanRequestV1 } from "@capstan/contract/v1";
import type { KubeObject, ObjectReference, Resource } from "@capstan/schema";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { LinodePlacementGroup } from "../api/linode-placement-group.v1alpha2.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import { namedObject, referenceMissing } from "../resource/ready-resource.ts";

/** Fields that name another object, and of what kind it is. */
const kinds = {
  vpcRef: LinodeVPC,
  firewallRef: LinodeFirewall,
  nodeBalancerFirewallRef: LinodeFirewall,
  placementGroupRef: LinodePlacementGroup,
} as const satisfies Readonly<Record<string, Resource>>;

interface Referring extends KubeObject {
  readonly spec: Partial<Readonly<Record<keyof typeof kinds, ObjectReference>>>;
}

/** References of an object to what will not be there, each with its field. */
export const missingReferences = async (
  { metadata, spec }: Referring,
  find: PlanRequestV1["find"],
): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const [field, kind] of Object.entries(kinds) as [keyof typeof kinds, Resource][]) {
    const ref = namedObject(spec[field]);
    if (ref === undefined) continue;
    const { name, namespace = metadata.namespace ?? "" } = ref;
    if ((await find(kind, { namespace, name })) === undefined) {
      missing.push(referenceMissing(`spec.${field}`, kind.kind, ref));
    }
  }
  return missing;
};
