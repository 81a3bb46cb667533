import type { ConditionInput } from "@capstan/contract/wire";
import type { Handled, MachineObservation, Writing } from "@capstan/kit/machine";
import { absent, failed, RoleReason } from "@capstan/kit/machine";
import { ownedByAnother } from "@capstan/kit/engine";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { azureMachineConditions, AzureReason } from "../api/azure-conditions.ts";
import { nameOfId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { otherOwner } from "../cluster/belonging.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import { apiServerBalancers, frontendRef, poolRef } from "../cluster/load-balancer-bodies.ts";
import { refs } from "../cluster/place.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import { publicIPBody } from "../cluster/public-ips.ts";
import { freePort, natRuleBody, takenPorts } from "./inbound-nat.ts";
import { interfaceBody } from "./interface-body.ts";
import type { MachineContext, MachinePlan, PlannedInterface } from "./machine-plan.ts";
import { machinePlan, partTags, subnetOf } from "./machine-plan.ts";
import { faultDomainsOf, skuOf } from "../cloud/skus.ts";
import { isCapable } from "./size-check.ts";
import { azureError } from "../arm/arm-error.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { DefaultedLoadBalancer } from "../cluster/cluster-defaults.ts";
import type { DefaultedSubnet } from "../cluster/subnet-defaults.ts";
import { isIPv6 } from "../cluster/subnet-defaults.ts";

type StepContext = MachineContext & Writing;

/** Steps that create the parts a virtual machine needs, in order. */
const steps = {
  PublicIPs: "create public IP",
  InboundNATRules: "create NAT rule",
  NetworkInterfaces: "create network interfaces",
  AvailabilitySet: "create availability set",
} as const;
type Service = keyof typeof steps;

const servicesOf = (plan: MachinePlan): readonly (readonly [Service, readonly ResourceRef[]])[] => {
  const all: readonly (readonly [Service, readonly (ResourceRef | undefined)[]])[] = [
    ["PublicIPs", [plan.publicIP]],
    ["InboundNATRules", [plan.natRule?.ref]],
    ["NetworkInterfaces", plan.interfaces.map(({ ref }) => ref)],
    ["AvailabilitySet", [plan.availabilitySet?.ref]],
  ];
  return all.flatMap(([service, wanted]) => {
    const present = wanted.filter((ref) => ref !== undefined);
    return present.length === 0 ? [] : [[service, present] as const];
  });
};

/** Returns the conditions for the parts of an existing machine: all are ready, as they were created before it. */
export const preparedConditions = (plan: MachinePlan): readonly ConditionInput[] =>
  servicesOf(plan).map(([service]) => serviceCondition(service, "ready"));

const isMade = (resource: AzureResource | undefined): boolean =>
  resource !== undefined && provisioningStateOf(resource) !== "Failed";

const isTaken = ({ place: { claim, tags } }: MachinePlan, resource: AzureResource): boolean =>
  tagOf(resource, tags.label.key) !== tags.label.value && otherOwner(resource, claim) !== undefined;

const takenPart = (context: MachineContext, plan: MachinePlan, taken: AzureResource): MachineObservation => {
  const owner = otherOwner(taken, plan.place.claim);
  const mend = "rename the Machine, or delete the other one";
  const said = ownedByAnother(context, { what: `${nameOfId(taken.id)}, which the machine needs,`, owner, mend });
  return failed({ handle: plan.vm.id, ...said, conditions: [vmCondition("failed", said.message)] });
};

/**
 * Returns the conditions of a machine's parts, and in `open` the next step, wait or failure before the virtual machine can be created;
 * without `open`, all parts are ready.
 */
export const preparation = async (
  context: MachineContext,
  plan: MachinePlan,
): Promise<{ readonly conditions: readonly ConditionInput[]; readonly open?: MachineObservation }> => {
  const { api, call } = context;
  const conditions: ConditionInput[] = [];
  for (const [service, wanted] of servicesOf(plan)) {
    const found = await Promise.all(wanted.map((ref) => api.find(ref, call)));
    const taken = found.flatMap((resource) => resource ?? []).find((resource) => isTaken(plan, resource));
    if (taken !== undefined) return { conditions, open: takenPart(context, plan, taken) };
    const changing = found.filter((resource) => resource !== undefined && isChanging(resource));
    if (found.every(isMade) && changing.length === 0) {
      conditions.push(serviceCondition(service, "ready"));
      continue;
    }
    conditions.push(serviceCondition(service, "creating"), vmCondition("creating"));
    if (!found.every(isMade)) return { conditions, open: absent({ conditions, step: steps[service] }) };
    const message = `waiting for ${changing.map((resource) => nameOfId(resource?.id ?? "")).join(", ")}`;
    return { conditions, open: absent({ conditions, reason: AzureReason.updating, message, pollMs: 2000 }) };
  }
  return { conditions };
};

/** `VMRunning`, which has no `Ready` in its name. */
export const vmCondition = (
  state: "creating" | "updating" | "failed" | "deleting" | "ready",
  message = "",
): ConditionInput => ({
  ...serviceCondition("VM", state, message),
  type: azureMachineConditions.vm.type,
});

const waits: readonly string[] = [RoleReason.waitingForClusterInfrastructure, RoleReason.waitingForBootstrapData];

/** The same, of a machine that is not made because it waits for others. */
export const waitingCondition = (reason: string, message: string): readonly ConditionInput[] =>
  waits.includes(reason) ? [{ ...vmCondition("creating", message), reason }] : [];

const makePublicIP = async (context: StepContext): Promise<void> => {
  const { api, call, infraCluster, operations } = context;
  const plan = machinePlan(context);
  const { place, publicIP } = plan;
  if (publicIP === undefined) return;
  const name = nameOfId(publicIP.id);
  const zones = plan.zone === undefined ? Object.keys(infraCluster?.status?.failureDomains ?? {}) : [plan.zone];
  const role = plan.isControlPlane ? "control-plane" : "node";
  const body = publicIPBody(place, { name, role, dnsName: undefined, ipTags: [], zones: [] }, zones);
  await operations.start("create public IP", () => api.put(publicIP, { ...body, tags: partTags(plan, name) }, call));
};

const makeNatRule = async (context: StepContext): Promise<void> => {
  const { api, call, operations } = context;
  const { natRule, place } = machinePlan(context);
  if (natRule === undefined) return;
  const { balancer, ref } = natRule;
  const self = refs.loadBalancer(place, balancer.name);
  const present = await api.find(self, call);
  if (present === undefined) {
    throw azureError("notFound", `the load balancer ${balancer.name} of the API server does not exist yet; retrying`);
  }
  const frontend = frontendRef(self, balancer.frontendIPs[0]?.name ?? "").id;
  const body = natRuleBody(frontend, freePort(takenPorts(present)));
  await operations.start("create NAT rule", () => api.put(ref, body, call));
};

const isOfVersion6 = ({ frontendIPs }: DefaultedLoadBalancer): boolean =>
  frontendIPs.some(({ privateIP }) => privateIP !== undefined && isIPv6(privateIP));

/** The pools of load balancers that a machine belongs to: those of requests to the API server, or of traffic that leaves. */
const poolsOf = ({ isControlPlane, place, publicIP }: MachinePlan, subnet: DefaultedSubnet) => {
  const { controlPlaneOutboundLB, nodeOutboundLB } = place.spec.networkSpec;
  const leavesByGateway = subnet.natGateway !== undefined || publicIP !== undefined;
  const balancers = isControlPlane
    ? [...apiServerBalancers(place), controlPlaneOutboundLB]
    : [leavesByGateway ? undefined : nodeOutboundLB];
  const idsWhere = (version6: boolean): readonly string[] =>
    balancers.flatMap((balancer) =>
      balancer === undefined || isOfVersion6(balancer) !== version6
        ? []
        : [poolRef(refs.loadBalancer(place, balancer.name), balancer.backendPool.name).id],
    );
  return { pools: idsWhere(false), version6Pools: idsWhere(true) };
};

const interfaceOf = async (context: MachineContext, plan: MachinePlan, card: PlannedInterface) => {
  const { api, call } = context;
  const { natRule, place, publicIP, spec } = plan;
  const { location } = place.spec;
  const isPrimary = card === plan.interfaces[0];
  const subnet = subnetOf(context, plan, card);
  const sku = card.accelerated === undefined ? skuOf(await api.skus(location, call), spec.vmSize) : undefined;
  return interfaceBody({
    name: card.name,
    location,
    extendedLocation: place.spec.extendedLocation,
    tags: partTags(plan, card.name),
    subnet: refs.subnet(place, subnet.name).id,
    hasIPv6: subnet.cidrBlocks.some(isIPv6),
    addresses: card.addresses,
    isAccelerated: card.accelerated ?? (sku !== undefined && isCapable(sku, "AcceleratedNetworkingEnabled")),
    forwardsTraffic: spec.enableIPForwarding ?? false,
    dnsServers: spec.dnsServers ?? [],
    publicIP: isPrimary ? publicIP?.id : undefined,
    ...(isPrimary ? poolsOf(plan, subnet) : { pools: [], version6Pools: [] }),
    natRules: isPrimary && natRule !== undefined ? [natRule.ref.id] : [],
  });
};

/** Those that are missing, or came out badly; others stay as they are. */
const makeInterfaces = async (context: StepContext): Promise<void> => {
  const { api, call, operations } = context;
  const plan = machinePlan(context);
  for (const card of plan.interfaces) {
    const found = await api.find(card.ref, call);
    if (isMade(found) || (found !== undefined && isTaken(plan, found))) continue;
    const body = await interfaceOf(context, plan, card);
    await operations.start(`make ${card.name}`, () => api.put(card.ref, body, call));
  }
};

const makeAvailabilitySet = async (context: StepContext): Promise<void> => {
  const { api, call, operations } = context;
  const plan = machinePlan(context);
  const { availabilitySet, place } = plan;
  if (availabilitySet === undefined) return;
  const { location } = place.spec;
  const faultDomains = faultDomainsOf(await api.skus(location, call));
  // It belongs to several machines, so it is no one's of them.
  const { [place.tags.label.key]: _own, ...tags } = partTags(plan, availabilitySet.name);
  const body = {
    location,
    tags,
    sku: { name: "Aligned" },
    properties: { platformFaultDomainCount: faultDomains },
  };
  await operations.start("create availability set", () => api.put(availabilitySet.ref, body, call));
};

/** The steps that make what a virtual machine needs. */
export const preparationSteps: Readonly<Record<string, (context: MachineContext & Handled) => Promise<void>>> = {
  [steps.PublicIPs]: makePublicIP,
  [steps.InboundNATRules]: makeNatRule,
  [steps.NetworkInterfaces]: makeInterfaces,
  [steps.AvailabilitySet]: makeAvailabilitySet,
};
