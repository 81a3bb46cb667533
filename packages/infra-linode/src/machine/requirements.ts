import { cached, type Cached } from "../resource/cached.ts";
import { referenced, trustedIds } from "@capstan/kit/engine";
import type { ObjectRef, Referenced } from "@capstan/kit/engine";
import type { Waiting } from "@capstan/kit/resource";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { LinodePlacementGroup } from "../api/linode-placement-group.v1alpha2.ts";
import { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";
import type { Found } from "../resource/ready-resource.ts";
import { namedObject, readyId } from "../resource/ready-resource.ts";
import { vlanAddresses } from "./vlan-address.ts";

/** Objects that a machine refers to. */
export const requirementUses = {
  firewall: referenced<LinodeFirewall, LinodeMachine>(LinodeFirewall, ({ spec }) => namedObject(spec.firewallRef)),
  placementGroup: referenced<LinodePlacementGroup, LinodeMachine>(LinodePlacementGroup, ({ spec }) =>
    namedObject(spec.placementGroupRef),
  ),
  vpc: referenced<LinodeVPC, LinodeMachine>(LinodeVPC, ({ spec }) => namedObject(spec.vpcRef)),
  /** The cluster's, which is ready before any machine is made. */
  vpcs: cached(LinodeVPC),
  vlan: vlanAddresses(),
  ids: trustedIds(),
};

/** Access that verbs have to those objects. */
interface RequirementAccess {
  readonly firewall: Referenced<LinodeFirewall>;
  readonly placementGroup: Referenced<LinodePlacementGroup>;
  readonly vpc: Referenced<LinodeVPC>;
  readonly vpcs: Cached<LinodeVPC>;
}

/** Ids at Linode of what a new instance is to be in. */
export interface Requirements {
  readonly vpcId?: number;
  readonly firewallId?: number;
  readonly placementGroupId?: number;
}

interface Place {
  readonly object: LinodeMachine;
  readonly infraCluster: LinodeCluster | undefined;
  readonly uses: RequirementAccess;
}

/** The firewall of a machine. The number 0 says that there is to be none. */
export const firewallOf = ({ object: { spec }, uses }: Pick<Place, "object" | "uses">): Found => {
  if (spec.firewallID !== undefined) return spec.firewallID === 0 ? undefined : { id: spec.firewallID };
  const ref = namedObject(spec.firewallRef);
  return ref && readyId("spec.firewallRef", ref, "LinodeFirewall", uses.firewall.get(), (each) => each.spec.firewallID);
};

/** Those of the references that have conditions of their own. */
export const referencesOf = (place: Place): { readonly firewall: Found; readonly vpc: Found } => ({
  firewall: firewallOf(place),
  vpc: vpcOf(place),
});

/** The machine's own VPC, then its cluster's; an id, then a reference. */
const vpcOf = ({ infraCluster, object, uses }: Place): Found => {
  const { vpcID, vpcRef } = object.spec;
  if (vpcID !== undefined) return { id: vpcID };
  const own = namedObject(vpcRef);
  if (own !== undefined) return vpcReady("spec.vpcRef", own, uses.vpc.get());
  if (infraCluster?.spec.vpcID !== undefined) return { id: infraCluster.spec.vpcID };
  const clusters = namedObject(infraCluster?.spec.vpcRef);
  if (clusters === undefined) return undefined;
  const { name, namespace = infraCluster?.metadata.namespace ?? "" } = clusters;
  return vpcReady("LinodeCluster spec.vpcRef", clusters, uses.vpcs.get({ name, namespace }));
};

const vpcReady = (field: string, ref: ObjectRef, vpc: LinodeVPC | undefined): Found =>
  readyId(field, ref, "LinodeVPC", vpc, ({ spec }) => spec.vpcID);

const placementGroupOf = ({ object: { spec }, uses }: Place): Found => {
  const ref = namedObject(spec.placementGroupRef);
  const group = uses.placementGroup.get();
  return ref && readyId("spec.placementGroupRef", ref, "LinodePlacementGroup", group, (each) => each.spec.pgID);
};

/** Returns the ids that a new instance is placed in, or what has to be ready first. */
export const requirementsOf = (place: Place): { readonly needs: Requirements } | { readonly waiting: Waiting } => {
  const found = { firewallId: firewallOf(place), vpcId: vpcOf(place), placementGroupId: placementGroupOf(place) };
  for (const each of Object.values(found)) if (each !== undefined && "waiting" in each) return each;
  const ids = Object.entries(found).flatMap(([name, each]) =>
    each !== undefined && "id" in each ? [[name, each.id] as const] : [],
  );
  return { needs: Object.fromEntries(ids) };
};
