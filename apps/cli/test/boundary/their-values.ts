import type { AzureSimulation } from "@capstan/sim-azure";
import type { LinodeSimulation } from "@capstan/sim-linode";
import type { MetalSimulation } from "@capstan/sim-metal";
import type { Kind } from "@capstan/schema";
import type { NamedThing } from "./named-things.ts";
import type { NamingField } from "./naming-fields.ts";
import { schemaAt } from "./tenant-objects.ts";

export interface Clouds {
  readonly linode: LinodeSimulation;
  /** Default: no one has anything there. */
  readonly azure?: AzureSimulation;
  readonly metal?: MetalSimulation;
}

/** What the tenant would like to have of team-b, and a place of the tenant's own. */
export interface Wanted {
  readonly clouds: Clouds;
  /** A file of the manager. */
  readonly file: string;
  /** A server of the tenant's. */
  readonly url: string;
}

const kindNamed: readonly (readonly [RegExp, string, string])[] = [
  [/[vV]pc/, "infrastructure.cluster.x-k8s.io/v1alpha2", "LinodeVPC"],
  [/[fF]irewallRef/, "infrastructure.cluster.x-k8s.io/v1alpha2", "LinodeFirewall"],
  [/RuleRefs/, "infrastructure.cluster.x-k8s.io/v1alpha2", "FirewallRule"],
  [/addressSetRefs/, "infrastructure.cluster.x-k8s.io/v1alpha2", "AddressSet"],
  [/placementGroup/, "infrastructure.cluster.x-k8s.io/v1alpha2", "LinodePlacementGroup"],
  [/accessKey/, "infrastructure.cluster.x-k8s.io/v1alpha2", "LinodeObjectStorageKey"],
  [/identityRef/, "infrastructure.cluster.x-k8s.io/v1beta1", "AzureClusterIdentity"],
  [/hostRef/, "infrastructure.cluster.x-k8s.io/v1beta1", "ElementalHost"],
  [/ElementalHost .*machineRef/, "infrastructure.cluster.x-k8s.io/v1beta1", "ElementalMachine"],
  [/[mM]achineRef|bmcRef/, "bmc.tinkerbell.org/v1alpha1", "Machine"],
  [/infrastructureRef/, "infrastructure.cluster.x-k8s.io/v1alpha2", "LinodeMachineTemplate"],
  [/controlPlaneRef/, "controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlane"],
  [/configRef|templateRef/, "bootstrap.cluster.x-k8s.io/v1beta2", "KubeadmConfigTemplate"],
  [/poolRef/, "ipam.cluster.x-k8s.io/v1alpha2", "InClusterIPPool"],
  [/[cC]onfigMap|manifests/, "v1", "ConfigMap"],
];

/** By the members that a reference has. */
const reference = (text: string, members: readonly string[]): Readonly<Record<string, unknown>> => {
  const [, apiVersion = "v1", kind = "Secret"] = kindNamed.find(([at]) => at.test(text)) ?? [];
  const name = kind === "Machine" ? "metal-1" : "theirs";
  const all: Readonly<Record<string, string>> = {
    name,
    namespace: "team-b",
    kind,
    apiVersion,
    apiGroup: apiVersion.includes("/") ? apiVersion.split("/")[0]! : "",
    key: "value",
    group: "",
    version: "v1",
    resource: "secrets",
  };
  return Object.fromEntries(members.filter((member) => member in all).map((member) => [member, all[member]]));
};

/** Ids of what is team-b's, by the field that takes them. The first that fits holds. */
const ids = ({ linode, azure, metal }: Clouds): readonly (readonly [RegExp, unknown])[] => {
  const { instances, vpcs, firewalls, nodeBalancers, placementGroups, buckets } = linode.simulator.state;
  const theirs = instances.find(({ label }) => label.includes("theirs"));
  const balancer = nodeBalancers.find(({ label }) => label.includes("theirs"));
  const arm = (type: string) =>
    azure?.simulator.state.resources.find((each) => each.type.endsWith(`/${type}`) && each.id.includes("theirs"))?.id;
  const rack = metal?.simulator.rack.state.machines.find(({ name }) => name === "metal-1");
  return [
    [/^LinodeMachine .*instanceID|backupID/, theirs?.id],
    [/^(LinodeMachine|Machine) .*providerID/, `linode://${theirs?.id}`],
    [/^LinodeMachine .*tags/, theirs?.tags[0]],
    [/diskID/, theirs?.disks[0]?.id],
    [/vpcID/, vpcs[0]?.id],
    [/subnetI[dD]/, vpcs[0]?.subnets[0]?.id],
    [/irewallID/, firewalls[0]?.id],
    [/NodeBalancerConfigID|nodeBalancerConfigID/, balancer?.configs[0]?.id],
    [/nodeBalancerID/, balancer?.id],
    [/pgID/, placementGroups[0]?.id],
    [/bucketName/, buckets.find(({ label }) => label.includes("theirs"))?.label ?? "theirs"],
    [
      /^AzureMachinePool.* spec.providerID|virtualMachineScaleSetID/,
      arm("virtualMachineScaleSets") ?? arm("virtualMachines"),
    ],
    [/^AzureMachine spec.providerID/, `azure://${arm("virtualMachines")}`],
    [/vnet.id/, arm("virtualNetworks")],
    [/[sS]ubnets?(\[\])?\.id/, `${arm("virtualNetworks")}/subnets/theirs`],
    [/LB.id/, arm("loadBalancers")],
    [/securityGroup.id/, arm("networkSecurityGroups")],
    [/^Azure.*esourceGroup/, "theirs"],
    [/^Azure.*subscriptionID/, azure?.simulator.subscriptionId],
    [/^Azure.*tenantID/, azure?.simulator.tenantId],
    [/^Azure.*clientID/, azure?.simulator.principals[0]?.clientId],
    [/^Azure.*[iI]d(entities\[\]\.providerI[dD])?$|^Azure.*ID$/, arm("virtualMachines")],
    [/^Azure.*vnet.name/, "theirs-vnet"],
    [/Tags\{\}/, "owned"],
    [/^TinkerbellMachine spec.providerID/, "tinkerbell://team-b/metal-1"],
    [/^TinkerbellMachine spec.hardwareName/, "metal-1"],
    [/\.mac$|agentID|instance\.id$/, rack?.mac],
    [/^Hardware .*address$/, "10.10.0.1"],
  ];
};

/** A value of team-b's for a field; what stands for no thing there is the name that all of team-b's things have. */
export const theirValue = (
  { kind, path }: NamingField,
  { schema }: Pick<Kind, "schema">,
  thing: NamedThing,
  { clouds, file, url }: Wanted,
): { readonly path: string; readonly value: unknown } => {
  const [, place = path, members] = /^(.*)\{([a-zA-Z,]+)\}$/.exec(path) ?? [];
  if (members === "matchLabels") return { path: place, value: { matchLabels: {} } };
  if (members !== undefined) return { path: place, value: reference(`${kind} ${path}`, members.split(",")) };
  const [, id] = ids(clouds).find(([at]) => at.test(`${kind} ${path}`)) ?? [];
  if (id !== undefined) return { path, value: id };
  if (schemaAt(schema, path).type === "integer") return { path, value: 1 };
  if (thing.class === "file") return { path, value: file };
  if (thing.class === "url") return { path, value: `${url}/theirs` };
  if (thing.class === "address") return { path, value: "127.0.0.1" };
  return { path, value: path.endsWith(".namespace") ? "team-b" : "theirs" };
};
