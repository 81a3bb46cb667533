import type { ConditionInput } from "@capstan/contract/wire";
import type { ClusterFacts, ClusterObservation, Handled } from "@capstan/kit/cluster";
import { absent, failed, pending, present } from "@capstan/kit/cluster";
import { ownedByAnother, ownerIdAnnotation } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { isChanging } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId, typeText } from "../arm/resource-id.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import type { ClusterContext } from "./cluster-context.ts";
import { placeIn } from "./cluster-context.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import { clusterServices, serviceCondition } from "./cluster-conditions.ts";
import { groupParts, securityGroupNames } from "./cluster-parts.ts";
import { groupRecord, hasRecordedGroup } from "./group-claims.ts";
import { lastAppliedFacts } from "./last-applied.ts";
import { endpointPort, plannedLoadBalancers } from "./load-balancer-bodies.ts";
import type { NewGroups } from "./new-groups.ts";
import { groupRules } from "./network-bodies.ts";
import { missingSubnets, specFacts } from "./network-facts.ts";
import type { Look, SeenPart } from "./part.ts";
import { isDue } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { isOwned } from "./belonging.ts";
import { epochTags } from "./resource-tags.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import { privateAddressOf, privateHostOf } from "./private-dns.ts";
import { hostOf } from "./public-ips.ts";
import type { Survey } from "./survey.ts";
import { survey } from "./survey.ts";

const worst = ["failed", "creating", "updating"] as const;

/** The condition of each service that was looked at. */
const conditionsOf = ({ foreignNetwork, open, parts }: Survey): readonly ConditionInput[] => {
  const used = foreignNetwork === undefined ? [] : (["VNet", "Subnets"] as const);
  const services = clusterServices.flatMap((service) => {
    const own = parts.filter((part) => part.service === service);
    const states = own.map(({ state }) => state);
    if (states.length === 0) return used.some((each) => each === service) ? [serviceCondition(service, "ready")] : [];
    const [taken] = own.filter(({ owner }) => owner !== undefined);
    const message = taken && `${nameOfId(taken.ref.id)} belongs to ${taken.owner}`;
    return [serviceCondition(service, worst.find((state) => states.includes(state)) ?? "ready", message)];
  });
  return [...services, serviceCondition("NetworkInfrastructure", open === undefined ? "ready" : "creating")];
};

/** The services in the order in which those of one wave are named. */
const firstOf = (parts: readonly SeenPart[]): ClusterService =>
  clusterServices.find((service) => parts.some((part) => part.service === service)) ?? "ResourceGroup";

/** The step that makes what is due of a wave. */
export const makeStep = (service: ClusterService): string => `make ${service}`;

/** Returns the endpoint of the API server: the name of its public address, its name in the private zone, or its private address. */
const endpointOf = (place: ClusterPlace, parts: readonly SeenPart[]) => {
  const [apiServer] = plannedLoadBalancers(place).filter(({ isForApiServer }) => isForApiServer);
  if (apiServer === undefined) return undefined;
  const address = apiServer.balancer.frontendIPs[0]?.publicIP?.name;
  const { id } = refs.publicIP(place, address ?? "");
  const host =
    address === undefined
      ? (privateHostOf(place) ?? privateAddressOf(place))
      : hostOf(parts.find((part) => part.ref.id === id)?.present);
  return host === undefined ? undefined : { host, port: endpointPort(place) };
};

/** Returns the annotations that record the applied tags and rules. */
const appliedFacts = (place: ClusterPlace, { foreignNetwork, open }: Survey) => {
  const rules = foreignNetwork === undefined ? securityGroupNames(place) : [];
  const now = {
    tags: place.spec.additionalTags ?? {},
    rules: Object.fromEntries(
      rules.map((group) => [
        group,
        Object.fromEntries(groupRules(place, group).map(({ description, name }) => [name, description])),
      ]),
    ),
  };
  return lastAppliedFacts(place.lastApplied, now, { isDone: open === undefined });
};

/** Returns the part that carries the installation's mark: the resource group, or else the first thing that was made for the cluster. */
const markedPart = (place: ClusterPlace, parts: readonly SeenPart[]): SeenPart | undefined =>
  parts.find((part) => part.tags !== undefined && isOwned(part.present, place.claim));

/** Puts the installation's mark on the part that carries it. */
export const markCluster = async (context: ClusterContext & Handled): Promise<void> => {
  const { api, call, identity } = context;
  const place = placeIn(context);
  const { parts } = await survey(context, place, { look: (ref) => api.known(ref, call), madeHere: () => false });
  const part = markedPart(place, parts);
  if (part !== undefined) await applyTags(context, part.ref.id, { merge: epochTags(identity) });
};

/** An AzureCluster whose infrastructure is to be. */
export const observeCluster = async (context: ClusterContext, groups: NewGroups): Promise<ClusterObservation> => {
  const { api, clock } = context;
  const place = placeIn(context);
  const settling = groups.settling(
    groupParts(place).map(({ ref }) => ref),
    clock.now(),
  );
  if (settling !== undefined) return pending({ reason: AzureReason.creating, ...settling });
  for (const { ref } of groupParts(place)) if (hasRecordedGroup(context.object, ref)) groups.recorded(ref);
  const madeHere = (ref: ResourceRef): boolean => groups.wasMadeFor(ref, place.claim.owner);
  const look: Look = (ref, call) => (groups.isUnread(ref) ? api.find(ref, call) : api.known(ref, call));
  const found = await survey(context, place, { look, madeHere });
  const base = {
    conditions: [...conditionsOf(found), ...groupRecord(context.object, place, { parts: found.parts, madeHere })],
    failureDomains: found.domains,
    annotations: appliedFacts(place, found),
  };
  const taken = found.open?.find(({ owner }) => owner !== undefined);
  if (taken !== undefined) return failed({ ...base, ...ownedByAnother(context, takenPart(taken, context.object)) });
  const missing = missingSubnets(place, found);
  if (missing !== undefined) return failed({ ...base, ...missing, pollMs: 60_000 });
  if (found.open !== undefined) return openWave(found.open, base);
  const endpoint = endpointOf(place, found.parts);
  const given = place.spec.controlPlaneEndpoint?.host ?? "";
  if (!place.spec.controlPlaneEnabled && given === "" && !context.additional) {
    const message = "waiting for the external control plane provider to set spec.controlPlaneEndpoint";
    return pending({ ...base, reason: AzureReason.externallyManagedControlPlane, message });
  }
  const marked = markedPart(place, found.parts)?.present?.tags;
  return present({
    ...base,
    ...(marked && { tags: marked }),
    spec: specFacts(place, found),
    ...(endpoint !== undefined && { endpoint }),
  });
};

/** Where another name is given, by service. Default: that of the AzureCluster, of which names are made. */
const nameFields: Partial<Record<ClusterService, string>> = {
  ResourceGroup: "spec.resourceGroup",
  VNet: "spec.resourceGroup or spec.networkSpec.vnet.name",
  LoadBalancers: "spec.resourceGroup or spec.networkSpec.apiServerLB.name",
  PrivateDNSZone: "spec.networkSpec.privateDNSZoneName",
  PrivateDNSRecord: "spec.networkSpec.privateDNSZoneName",
  VnetPeering: "spec.networkSpec.vnet.name",
};

/** The field by which another resource is chosen in place of one that is taken. */
export const takenField = ({ service }: Pick<SeenPart, "service">): string =>
  nameFields[service] ?? "spec.resourceGroup";

/** An object that was deleted by force and recreated is another owner, until it says that it is not. */
const takeOver = `if that was this cluster before it was force-deleted, annotate it with ${ownerIdAnnotation} and its former uid; otherwise `;

const takenPart = ({ owner, ref, service }: SeenPart, object: AzureCluster) => {
  const field = takenField({ service });
  const noun = service === "PrivateDNSRecord" ? "record" : typeText(ref.type);
  const zone = service === "PrivateDNSRecord" ? ` in the private DNS zone ${ref.id.split("/").at(-3)}` : "";
  const isItsName = owner === `${AzureCluster.kind} ${keyText(keyOf(object))}`;
  const mend = `${isItsName ? takeOver : ""}recreate this cluster with another ${field}`;
  return { what: `the ${noun} ${nameOfId(ref.id)}${zone}`, owner, mend };
};

const openWave = (
  wave: readonly SeenPart[],
  base: Pick<ClusterFacts, "annotations" | "conditions" | "failureDomains">,
): ClusterObservation => {
  const due = wave.filter(isDue);
  const changing = wave.filter((part) => part.present !== undefined && isChanging(part.present));
  const service = firstOf(due.length > 0 ? due : changing);
  if (due.some((part) => part.service === "ResourceGroup" && part.present === undefined)) {
    return absent({ ...(base.conditions && { conditions: base.conditions }) });
  }
  const names = (due.length > 0 ? due : changing).map(({ ref }) => ref.id.split("/").at(-1)).join(", ");
  const reason = changing.length > 0 ? AzureReason.updating : AzureReason.creating;
  if (due.length === 0) return pending({ ...base, reason, message: `waiting for ${names}`, pollMs: 2000 });
  return pending({ ...base, reason, message: names, step: makeStep(service) });
};
