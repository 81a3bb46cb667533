import type { Identity } from "@capstan/kit";
import { ownerOf } from "@capstan/kit/engine";
import { CapstanError } from "@capstan/contract";
import { describeObject, valueAt } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ResourceRef } from "../arm/resource-id.ts";
import { childRef, resourceRef, resourceTypes } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { groupRef } from "../cloud/azure-api.ts";
import type { DefaultedCluster } from "./cluster-defaults.ts";
import { defaultedCluster } from "./cluster-defaults.ts";
import type { Claim } from "./belonging.ts";
import { readLastApplied } from "./last-applied.ts";
import type { LastApplied } from "./last-applied.ts";
import type { TagFacts } from "./resource-tags.ts";
import type { DefaultedSubnet } from "./subnet-defaults.ts";

const defaultApiPort = 6443;

/** Where at Azure a cluster is, and what its resources are called. */
export interface ClusterPlace {
  readonly subscription: string;
  /** Name of the AzureCluster, of which resources have their names. */
  readonly name: string;
  /** Name of the Cluster, which tags bear. */
  readonly clusterName: string;
  readonly spec: DefaultedCluster;
  /** Port of the API server on its machines. */
  readonly apiPort: number;
  /** Tags of what is made for the AzureCluster. */
  readonly tags: TagFacts;
  /** By which its resources are told from those of others. */
  readonly claim: Claim;
  /** Tags and rules of the spec when it was last applied. */
  readonly lastApplied: LastApplied;
}

const specMissing = (object: KubeObject): CapstanError =>
  new CapstanError({
    code: "azure.spec_missing",
    reason: "SpecMissing",
    message: `${describeObject(object)} has no spec; set it`,
    retry: { kind: "never" },
  });

/** The spec of an object whose definition leaves it out; an object without one is refused. */
export const requiredSpec = <S>(object: KubeObject & { readonly spec?: S }): S => {
  if (object.spec === undefined) throw specMissing(object);
  return object.spec;
};

/** `spec.clusterNetwork.apiServerPort` of a Cluster. */
const apiPortOf = (cluster: KubeObject): number => {
  const port = valueAt(cluster, "spec.clusterNetwork.apiServerPort");
  return typeof port === "number" && port > 0 ? port : defaultApiPort;
};

/** The place of an AzureCluster. */
export const placeOf = (facts: {
  readonly object: AzureCluster;
  readonly cluster: KubeObject;
  readonly identity: Pick<Identity, "clusterName" | "epoch" | "label">;
  readonly subscription: string;
  /** The control plane is on another infrastructure: nothing is made for one. */
  readonly additional?: boolean;
  readonly otherWithUid?: Claim["otherWithUid"];
  readonly rival?: Claim["rival"];
}): ClusterPlace => {
  const { additional = false, cluster, identity, object, otherWithUid, rival, subscription } = facts;
  const { clusterName, epoch, label } = identity;
  const name = object.metadata.name ?? "";
  const given = requiredSpec(object);
  const spec = defaultedCluster(name, additional ? { ...given, controlPlaneEnabled: false } : given);
  const owner = ownerOf(object);
  const additionalTags = spec.additionalTags ?? {};
  const tags = { clusterName, label, owner, additional: additionalTags, ...(epoch !== undefined && { epoch }) };
  const claim = { clusterName, otherWithUid, owner, rival };
  const lastApplied = readLastApplied(object);
  return { subscription, name, clusterName, spec, apiPort: apiPortOf(cluster), tags, claim, lastApplied };
};

/** Where resources are: in the region, and in the edge zone of those types that edge zones have. */
export const locationIn = ({ spec: { extendedLocation, location } }: ClusterPlace) => ({
  location,
  ...(extendedLocation !== undefined && { extendedLocation }),
});

/** The network's resource group, in which its security groups and route tables are too. */
const inNetworkGroup = ({ spec, subscription }: ClusterPlace) => ({
  subscription,
  group: spec.networkSpec.vnet.resourceGroup,
});

const inGroup = ({ spec, subscription }: ClusterPlace) => ({ subscription, group: spec.resourceGroup });

/** The resources of a cluster by name. */
export const refs = {
  group: ({ spec, subscription }: ClusterPlace): ResourceRef => groupRef(subscription, spec.resourceGroup),
  networkGroup: (place: ClusterPlace): ResourceRef => groupRef(place.subscription, inNetworkGroup(place).group),
  network: (place: ClusterPlace): ResourceRef =>
    resourceRef(inNetworkGroup(place), resourceTypes.virtualNetwork, place.spec.networkSpec.vnet.name),
  subnet: (place: ClusterPlace, name: string): ResourceRef => childRef(refs.network(place), "subnets", name),
  securityGroup: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inNetworkGroup(place), resourceTypes.securityGroup, name),
  routeTable: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inNetworkGroup(place), resourceTypes.routeTable, name),
  publicIP: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.publicIP, name),
  natGateway: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.natGateway, name),
  loadBalancer: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.loadBalancer, name),
  bastionHost: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.bastionHost, name),
  privateEndpoint: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.privateEndpoint, name),
  networkInterface: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.networkInterface, name),
  virtualMachine: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.virtualMachine, name),
  availabilitySet: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.availabilitySet, name),
  scaleSet: (place: ClusterPlace, name: string): ResourceRef =>
    resourceRef(inGroup(place), resourceTypes.scaleSet, name),
  disk: (place: ClusterPlace, name: string): ResourceRef => resourceRef(inGroup(place), resourceTypes.disk, name),
} as const;

/** The subnets that machines of a role may be in: those of the role, else those for all. */
export const subnetsFor = ({ spec }: ClusterPlace, role: "node" | "control-plane"): readonly DefaultedSubnet[] => {
  const { subnets } = spec.networkSpec;
  const own = subnets.filter((subnet) => subnet.role === role);
  return own.length > 0 ? own : subnets.filter((subnet) => subnet.role === "cluster");
};
