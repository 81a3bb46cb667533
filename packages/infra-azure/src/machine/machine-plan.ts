import { CapstanError, Label } from "@capstan/contract";
import { describeObject, valueAt } from "@capstan/contract/wire";
import type { CreateContext, MachineVerbContext } from "@capstan/kit/machine";
import { isRecordedCluster, recordedClusterOf } from "@capstan/kit/machine";
import { ownerIdAnnotation } from "@capstan/kit/engine";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { ResourceRef } from "../arm/resource-id.ts";
import { childRef } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { DefaultedLoadBalancer } from "../cluster/cluster-defaults.ts";
import type { ClusterPlace } from "../cluster/place.ts";
import { apiServerBalancers } from "../cluster/load-balancer-bodies.ts";
import { placeOf, refs, requiredSpec, subnetsFor } from "../cluster/place.ts";
import { isSoundRecord } from "../cluster/recorded-cluster.ts";
import type { DefaultedSubnet } from "../cluster/subnet-defaults.ts";
import { cloudProviderTag, mergedTags, resourceTags } from "../cluster/resource-tags.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import type { identities } from "../identity/identities.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";
import { defaultedMachine } from "./machine-defaults.ts";
import {
  availabilitySetName,
  dataDiskName,
  interfaceName,
  osDiskName,
  publicIPName,
  vmNameOf,
} from "./machine-names.ts";

export type MachineUses = { readonly identities: ReturnType<typeof identities> };
export type MachineContext = MachineVerbContext<AzureMachine, AzureApi, AzureCluster, MachineUses>;
export type MachineCreateContext = CreateContext<AzureMachine, AzureApi, AzureCluster, MachineUses>;

export type EdgeZone = NonNullable<ClusterPlace["spec"]["extendedLocation"]>;

export interface PlannedInterface {
  readonly name: string;
  readonly ref: ResourceRef;
  /** As the spec names it. */
  readonly subnetName: string | undefined;
  readonly addresses: number;
  readonly accelerated: boolean | undefined;
}

/** The machine that an object stands for: what it is made of, and what that is called. */
export interface MachinePlan {
  readonly place: ClusterPlace;
  readonly spec: DefaultedMachine;
  readonly name: string;
  readonly isControlPlane: boolean;
  readonly zone: string | undefined;
  readonly vm: ResourceRef;
  readonly publicIP: ResourceRef | undefined;
  /** Inbound NAT rule of a control-plane machine behind a public load balancer. */
  readonly natRule: { readonly ref: ResourceRef; readonly balancer: DefaultedLoadBalancer } | undefined;
  readonly interfaces: readonly PlannedInterface[];
  readonly availabilitySet: { readonly ref: ResourceRef; readonly name: string } | undefined;
  readonly disks: readonly ResourceRef[];
}

/** Object that belongs to a cluster: a machine, or a machine pool. */
interface OfCluster {
  readonly infraCluster: AzureCluster | undefined;
  readonly object: KubeObject;
}

/** Only the AzureCluster, or its record, says where at Azure the object is: without it no one can see whether something is left. */
const clusterMissing = ({ object }: OfCluster): CapstanError => {
  const recorded = recordedClusterOf(object);
  const withId = recorded === undefined ? "" : ` with the annotation ${ownerIdAnnotation}: ${recorded.ownerId}`;
  const providerID = valueAt(object, "spec.providerID");
  const known = typeof providerID === "string" && providerID !== "" ? ` (${providerID})` : "";
  const finalizers = (object.metadata.finalizers ?? []).join(", ");
  const orEnd = isBeingDeleted(object)
    ? `, or delete its remains at Azure${known} yourself and remove its finalizers: ${finalizers}`
    : "";
  return new CapstanError({
    code: "azure.cluster_missing",
    reason: "ClusterMissing",
    message: `${describeObject(object)}: its AzureCluster does not exist; recreate it${withId}${orEnd}`,
  });
};

/** The AzureCluster of a machine, or what stands in for one that was removed by force. */
export const clusterOf = (context: OfCluster): AzureCluster => {
  const { infraCluster } = context;
  if (infraCluster === undefined || (isRecordedCluster(infraCluster) && !isSoundRecord(infraCluster))) {
    throw clusterMissing(context);
  }
  return infraCluster;
};

const subnetUnknown = ({ object }: Pick<OfCluster, "object">, message: string): CapstanError =>
  new CapstanError({
    code: "azure.subnet_unknown",
    reason: "SubnetUnknown",
    message: `${describeObject(object)}: ${message}`,
    retry: { kind: "never" },
  });

/** The subnet of an interface. Throws `azure.subnet_unknown`. */
export const subnetOf = (
  context: Pick<OfCluster, "object"> & Pick<MachineContext, "controlPlane">,
  { place }: Pick<MachinePlan, "place">,
  { subnetName: name }: Pick<PlannedInterface, "subnetName">,
): DefaultedSubnet => {
  if (name !== undefined && name !== "") {
    const found = place.spec.networkSpec.subnets.find((subnet) => subnet.name === name);
    if (found !== undefined) return found;
    throw subnetUnknown(
      context,
      `spec.networkInterfaces uses the subnet ${name}, which the AzureCluster does not have`,
    );
  }
  const [only, ...more] = subnetsFor(place, context.controlPlane ? "control-plane" : "node");
  if (only !== undefined && more.length === 0) return only;
  const which = only === undefined ? "has no subnet" : `has ${more.length + 1} subnets`;
  throw subnetUnknown(context, `the AzureCluster ${which} for its role; set spec.networkInterfaces[].subnetName`);
};

/**
 * Returns the interfaces with the subnet of the first filled in; `undefined` if it is given, or the cluster does not have exactly one
 * subnet for machines of this role.
 */
export const filledSubnet = (
  { controlPlane }: Pick<MachineContext, "controlPlane">,
  { place, spec }: Pick<MachinePlan, "place" | "spec">,
): { readonly networkInterfaces: DefaultedMachine["networkInterfaces"] } | undefined => {
  const [first, ...others] = spec.networkInterfaces;
  const [only, ...more] = subnetsFor(place, controlPlane ? "control-plane" : "node");
  const isGiven = (first?.subnetName ?? "") !== "";
  if (first === undefined || isGiven || only === undefined || more.length > 0) return undefined;
  return { networkInterfaces: [{ ...first, subnetName: only.name }, ...others] };
};

/** Context that a plan is made from. */
type PlanContext = Omit<MachineContext, "uses">;

const zoneOf = ({ failureDomain, object }: PlanContext): string | undefined => {
  const zone = failureDomain ?? object.spec?.failureDomain;
  return zone === "" ? undefined : zone;
};

/** Returns the group whose machines share an availability set: the control plane, or the machine's MachineDeployment or MachineSet. */
const setOf = ({ controlPlane, machine }: PlanContext): string | undefined => {
  if (controlPlane) return "control-plane";
  const { [Label.deploymentName]: deployment, [Label.setName]: set } = machine.metadata.labels ?? {};
  return deployment ?? set;
};

/** Where there are no zones, availability sets spread machines over the hardware. */
const availabilitySetOf = (context: PlanContext, place: ClusterPlace, spec: DefaultedMachine) => {
  const { infraCluster } = context;
  const hasZones = Object.keys(infraCluster?.status?.failureDomains ?? {}).length > 0;
  const isSpread = hasZones || zoneOf(context) !== undefined || place.spec.extendedLocation !== undefined;
  const isElsewhere = spec.spotVMOptions !== undefined || (spec.virtualMachineScaleSetID ?? "") !== "";
  const group = setOf(context);
  if (isSpread || isElsewhere || group === undefined) return undefined;
  const name = availabilitySetName(place.name, group);
  return { name, ref: refs.availabilitySet(place, name) };
};

/** The place of a machine's cluster, with tags for what is made for the machine. */
const placeIn = (context: PlanContext): ClusterPlace => {
  const { api, cluster, identity, object } = context;
  const place = placeOf({ object: clusterOf(context), cluster, identity, subscription: api.subscription });
  const additional = mergedTags(place.tags.additional, object.spec?.additionalTags);
  return { ...place, tags: { ...place.tags, additional } };
};

/** Returns the plan of a machine: its parts and their names. */
export const machinePlan = (context: PlanContext): MachinePlan => {
  const { controlPlane: isControlPlane, object } = context;
  const place = placeIn(context);
  const spec = defaultedMachine(requiredSpec(object));
  const name = vmNameOf(object.metadata.name ?? "", spec.osDisk.osType);
  const [apiServer] = apiServerBalancers(place);
  const balancer = isControlPlane && apiServer?.type === "Public" ? apiServer : undefined;
  const cards = spec.networkInterfaces;
  return {
    place,
    spec,
    name,
    isControlPlane,
    zone: zoneOf(context),
    vm: refs.virtualMachine(place, name),
    publicIP: spec.allocatePublicIP === true ? refs.publicIP(place, publicIPName(name)) : undefined,
    natRule:
      balancer === undefined
        ? undefined
        : { balancer, ref: childRef(refs.loadBalancer(place, balancer.name), "inboundNatRules", name) },
    interfaces: cards.map((card, index) => {
      const own = interfaceName(name, index, cards.length);
      return {
        name: own,
        ref: refs.networkInterface(place, own),
        subnetName: card.subnetName,
        addresses: card.privateIPConfigs,
        accelerated: card.acceleratedNetworking,
      };
    }),
    availabilitySet: availabilitySetOf(context, place, spec),
    disks: [osDiskName(name), ...spec.dataDisks.map(({ nameSuffix }) => dataDiskName(name, nameSuffix))].map((disk) =>
      refs.disk(place, disk),
    ),
  };
};

/** The tags of a part of a machine. */
export const partTags = ({ isControlPlane, place }: MachinePlan, name: string): Tags => ({
  ...resourceTags(place.tags, { name, role: isControlPlane ? "control-plane" : "node" }),
  ...cloudProviderTag(place.clusterName),
});
