import type { ConditionInput } from "@capstan/contract/wire";
import type { ClusterFacts, ClusterObservation, ClusterVerbContext } from "@capstan/kit/cluster";
import { absent, failed, pending, present } from "@capstan/kit/cluster";
import { isChanging } from "../arm/operation.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import { zonesOf } from "../cloud/skus.ts";
import type { identities } from "../identity/identities.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import { clusterServices, serviceCondition } from "./cluster-conditions.ts";
import type { PlanFacts, SeenPart } from "./cluster-parts.ts";
import { isDue, partWaves, seen } from "./cluster-parts.ts";
import { endpointPort, plannedLoadBalancers } from "./load-balancer-bodies.ts";
import type { ClusterPlace } from "./place.ts";
import { placeOf, refs } from "./place.ts";
import { hostOf } from "./public-ips.ts";
import { isOwned } from "./resource-tags.ts";
import { unservedCluster } from "./unserved.ts";

export type ClusterUses = { readonly identities: ReturnType<typeof identities> };
export type ClusterContext = ClusterVerbContext<AzureCluster, AzureApi, AzureMachine, ClusterUses>;

/** The place of the object that a verb is about. */
export const placeIn = ({ additional, api, cluster, identity, object }: ClusterContext): ClusterPlace =>
  placeOf({ object, cluster, identity, subscription: api.subscription, additional });

/** The zones that machines may be in: those of the location, as far as the spec lets them. */
const failureDomainsOf = async ({ api, call }: ClusterContext, { spec }: ClusterPlace) => {
  const zones = spec.extendedLocation === undefined ? zonesOf(await api.skus(spec.location, call)) : [];
  return zones.map((name) => ({ name, controlPlane: spec.failureDomains?.[name]?.controlPlane !== false }));
};

export const planFacts = async (
  context: ClusterContext,
  place: ClusterPlace,
): Promise<PlanFacts & { readonly domains: NonNullable<ClusterFacts["failureDomains"]> }> => {
  const domains = await failureDomainsOf(context, place);
  return {
    domains,
    failureDomains: domains.map(({ name }) => name),
  };
};

/** Whether the network is ours: made for this Cluster, or not there yet. Another one is used as it is. */
const isNetworkOurs = async ({ api, call }: ClusterContext, place: ClusterPlace): Promise<boolean> => {
  const network = await api.find(refs.network(place), call);
  return network === undefined || isOwned(network, place.clusterName);
};

export interface Survey {
  readonly parts: readonly SeenPart[];
  /** The first wave that is not done; `undefined`: all are. */
  readonly open: readonly SeenPart[] | undefined;
}

/** What is there, wave by wave, up to the first that is not done. */
export const survey = async (context: ClusterContext, place: ClusterPlace, facts: PlanFacts): Promise<Survey> => {
  const { api, call } = context;
  const { clusterName } = place;
  const parts: SeenPart[] = [];
  const [groups = []] = partWaves(place, facts, true);
  const first = await Promise.all(groups.map((part) => seen(part, { api, call, clusterName })));
  if (first.some(({ state }) => state !== "ready")) return { parts: first, open: first };
  const [, ...waves] = partWaves(place, facts, await isNetworkOurs(context, place));
  parts.push(...first);
  for (const wave of waves) {
    const found = await Promise.all(wave.map((part) => seen(part, { api, call, clusterName })));
    parts.push(...found);
    if (found.some(({ state }) => state !== "ready")) return { parts, open: found };
  }
  return { parts, open: undefined };
};

const worst = ["failed", "creating", "updating"] as const;

/** The condition of each service that was looked at. */
const conditionsOf = ({ open, parts }: Survey): readonly ConditionInput[] => {
  const services = clusterServices.flatMap((service) => {
    const states = parts.filter((part) => part.service === service).map(({ state }) => state);
    if (states.length === 0) return [];
    return [serviceCondition(service, worst.find((state) => states.includes(state)) ?? "ready")];
  });
  return [...services, serviceCondition("NetworkInfrastructure", open === undefined ? "ready" : "creating")];
};

/** The services in the order in which those of one wave are named. */
const firstOf = (parts: readonly SeenPart[]): ClusterService =>
  clusterServices.find((service) => parts.some((part) => part.service === service)) ?? "ResourceGroup";

/** The step that makes what is due of a wave. */
export const makeStep = (service: ClusterService): string => `make ${service}`;

const endpointOf = (place: ClusterPlace, parts: readonly SeenPart[]) => {
  const [apiServer] = plannedLoadBalancers(place).filter(({ isForApiServer }) => isForApiServer);
  const [frontend] = apiServer?.balancer.frontendIPs ?? [];
  const address = frontend?.publicIP?.name;
  if (address === undefined) return undefined;
  const { id } = refs.publicIP(place, address);
  const host = hostOf(parts.find((part) => part.ref.id === id)?.present);
  return host === undefined ? undefined : { host, port: endpointPort(place) };
};

/** Resource IDs that upstream keeps in the spec; with them, all that is worked out of names. */
const specFacts = (place: ClusterPlace) => {
  const { subnets, vnet } = place.spec.networkSpec;
  const network = { name: vnet.name, id: refs.network(place).id };
  return {
    networkSpec: {
      vnet: network,
      subnets: subnets.map((subnet) => ({ ...subnet, id: refs.subnet(place, subnet.name).id })),
    },
  };
};

/** An AzureCluster whose infrastructure is to be. */
export const observeCluster = async (context: ClusterContext): Promise<ClusterObservation> => {
  const { object, uses } = context;
  const place = placeIn(context);
  const [unserved] = unservedCluster(place.spec);
  if (unserved !== undefined) {
    return failed({
      reason: AzureReason.unsupported,
      message: `${unserved.field} is not supported: ${unserved.instead}`,
    });
  }
  if (uses.identities.of(object) !== undefined && !uses.identities.isHeld(object)) {
    return pending({ reason: AzureReason.holdingIdentity, step: "hold identity" });
  }
  const facts = await planFacts(context, place);
  const found = await survey(context, place, facts);
  const conditions = conditionsOf(found);
  const base = { conditions, failureDomains: facts.domains };
  if (found.open !== undefined) return openWave(found.open, base);
  const endpoint = endpointOf(place, found.parts);
  const given = place.spec.controlPlaneEndpoint?.host ?? "";
  if (!place.spec.controlPlaneEnabled && given === "" && !context.additional) {
    const message = "spec.controlPlaneEndpoint is missing; somebody else provides the control plane and sets it";
    return pending({ ...base, reason: AzureReason.externallyManagedControlPlane, message });
  }
  return present({ ...base, spec: specFacts(place), ...(endpoint !== undefined && { endpoint }) });
};

const openWave = (
  wave: readonly SeenPart[],
  base: Pick<ClusterFacts, "conditions" | "failureDomains">,
): ClusterObservation => {
  const due = wave.filter(isDue);
  const changing = wave.filter((part) => part.present !== undefined && isChanging(part.present));
  const service = firstOf(due.length > 0 ? due : changing);
  if (service === "ResourceGroup" && due.length > 0) {
    return absent({ ...(base.conditions && { conditions: base.conditions }) });
  }
  const names = (due.length > 0 ? due : changing).map(({ ref }) => ref.id.split("/").at(-1)).join(", ");
  const reason = changing.length > 0 ? AzureReason.updating : AzureReason.creating;
  if (due.length === 0) return pending({ ...base, reason, message: `waiting for ${names}`, pollMs: 2000 });
  return pending({ ...base, reason, message: names, step: makeStep(service) });
};
