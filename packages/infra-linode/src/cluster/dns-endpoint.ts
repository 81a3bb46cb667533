import { Group } from "@capstan/contract";
import { conditionOf, MachineResource, ownerOfKind } from "@capstan/contract/wire";
import type { ClusterObservation } from "@capstan/kit/cluster";
import { absent, failed, pending, present } from "@capstan/kit/cluster";
import { ownedByAnother } from "@capstan/kit/engine";
import { groupOf, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { LinodeReason } from "../api/linode-conditions.ts";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { linodeError } from "../cloud/errors.ts";
import { isOlder } from "../resource/age.ts";
import type { ClusterContext } from "./node-balancer.ts";
import { holderOf, isMarked, markRecord } from "./dns-owner.ts";
import type { NameHolder } from "./dns-owner.ts";
import { addressRecords, recordChanges, wantedRecords } from "./dns-records.ts";
import type { NamedRecords, ZoneRecord } from "../dns/zone.ts";
import { apiPort, endpointPlan } from "./endpoint.ts";
import type { EndpointPlan } from "./endpoint.ts";
import { requirementConditions } from "./requirements.ts";

/** The endpoint's name, and who serves its zone. */
type EndpointName = Extract<EndpointPlan, { readonly kind: "dns" }>;

/** Linode's shortest. */
const defaultTtl = 30;
/** Until it is asked again whether a machine may be reached by the name. */
const waitingPollMs = 8000;

/** Conditions of a Machine that a control plane of kubeadm sets; one that no one has set says nothing. */
const components = [
  "APIServerPodHealthy",
  "ControllerManagerPodHealthy",
  "SchedulerPodHealthy",
  "EtcdPodHealthy",
  "EtcdMemberHealthy",
];

const isServing = (machine: KubeObject | undefined): boolean => {
  if (machine === undefined) return false;
  const byKubeadm = machine.metadata.ownerReferences?.some(
    ({ apiVersion, kind }) => kind === "KubeadmControlPlane" && groupOf(apiVersion) === Group.controlPlane,
  );
  if (byKubeadm !== true) return conditionOf(machine, "Ready")?.status === "True";
  return components.every((type) => conditionOf(machine, type)?.status !== "False");
};

/** The machines that the name leads to: the first one whatever its state, for without it no other comes up. */
const servingMachines = ({ controlPlaneMachines, uses }: ClusterContext): readonly LinodeMachine[] =>
  controlPlaneMachines.filter((each, index) => {
    const owner = ownerOfKind(each, MachineResource);
    const { namespace = "" } = each.metadata;
    return index === 0 || isServing(owner && uses.machines.get({ namespace, name: owner.name }));
  });

const ttlOf = ({ spec }: LinodeCluster): number => {
  const seconds = spec.network?.dnsTTLsec ?? 0;
  return seconds === 0 ? defaultTtl : seconds;
};

const lookUp = ({ api, call }: ClusterContext, at: EndpointName): Promise<NamedRecords | undefined> =>
  api.zones[at.provider](at, call);

const isSameName = ({ metadata, spec }: LinodeCluster, { name, provider, zone }: EndpointName): boolean => {
  const plan = endpointPlan(spec, metadata.name ?? "");
  return plan.kind === "dns" && plan.name === name && plan.provider === provider && plan.zone === zone;
};

/** A cluster with the same endpoint that was there before this one. */
const elderOf = ({ object, uses }: ClusterContext, at: EndpointName): LinodeCluster | undefined =>
  uses.clusters.list().find((other) => isSameName(other, at) && isOlder(other, object));

const holderIn = (context: ClusterContext, at: EndpointName, { records }: NamedRecords): NameHolder => {
  const { controlPlaneMachines, identity } = context;
  const elder = elderOf(context, at);
  return holderOf(records, {
    owner: identity.owner,
    addresses: addressRecords(controlPlaneMachines),
    elder: elder && keyText(keyOf(elder)),
  });
};

/** The endpoint is the name, from the start; its records follow the machines. */
export const observeDns = async (context: ClusterContext, at: EndpointName): Promise<ClusterObservation> => {
  const { controlPlaneMachines, identity, object } = context;
  const found = await lookUp(context, at);
  if (found === undefined) {
    throw linodeError(
      "notFound",
      `network.dnsRootDomain: there is no domain ${at.zone}; create it, or correct the name`,
    );
  }
  const holder = holderIn(context, at, found);
  if (holder.kind === "theirs") {
    const what = `the endpoint ${at.name}.${at.zone}`;
    const taken = ownedByAnother(context, { what, owner: holder.owner, mend: "set network.dnsUniqueIdentifier" });
    return failed({ handle: at.name, ...taken });
  }
  const endpoint = { host: `${at.name}.${at.zone}`, port: apiPort(object.spec) };
  const facts = { handle: at.name, endpoint, conditions: requirementConditions(context) };
  const serving = servingMachines(context);
  const wanted = wantedRecords(serving, identity.owner);
  const { add, keep, remove } = recordChanges(wanted, found.records);
  const ttl = ttlOf(object);
  const isRight = add.length + remove.length === 0 && keep.every((record) => found.lasts(record, ttl, wanted));
  const polled = serving.length < controlPlaneMachines.length ? { ...facts, pollMs: waitingPollMs } : facts;
  return present(isRight ? polled : { ...polled, step: "setRecords" });
};

/** The records of a name that has the cluster's mark; `undefined`: it is another user's. */
const claimedRecords = async (context: ClusterContext, at: EndpointName): Promise<NamedRecords | undefined> => {
  const { owner } = context.identity;
  const found = await lookUp(context, at);
  if (found === undefined || holderIn(context, at, found).kind === "theirs") return undefined;
  if (isMarked(found.records, owner)) return found;
  await found.add(markRecord(owner), ttlOf(context.object));
  // Someone may have put a mark there at the same time.
  const marked = await lookUp(context, at);
  return marked === undefined || holderIn(context, at, marked).kind === "theirs" ? undefined : marked;
};

/** First what is missing, then what is too much: the name never leads nowhere. */
export const setRecords = async (context: ClusterContext, at: EndpointName): Promise<void> => {
  const { identity, object } = context;
  const found = await claimedRecords(context, at);
  if (found === undefined) return;
  const wanted = wantedRecords(servingMachines(context), identity.owner);
  const { add, keep, remove } = recordChanges(wanted, found.records);
  const ttl = ttlOf(object);
  for (const record of add) await found.add(record, ttl);
  for (const record of keep) if (!found.lasts(record, ttl, wanted)) await found.setTtl(record, ttl);
  for (const record of remove) await found.remove(record);
};

/** Records under the name that are this cluster's, the mark last: those of others, and of no one, stay. */
const ownRecords = async (
  context: ClusterContext,
  at: EndpointName,
): Promise<{ readonly found: NamedRecords; readonly own: readonly ZoneRecord[] } | undefined> => {
  const { owner } = context.identity;
  const found = await lookUp(context, at);
  if (found === undefined) return undefined;
  const texts = (target: string) => found.records.filter((record) => record.type === "TXT" && record.target === target);
  const marks = texts(markRecord(owner).target);
  const isOurs = holderIn(context, at, found).kind === "ours";
  const hasName = marks.length > 0 || texts(owner.name).length > 0;
  const addresses = found.records.filter(({ type }) => type === "A" || type === "AAAA");
  const own = isOurs && hasName ? [...addresses, ...texts(owner.name), ...marks] : marks;
  return own.length === 0 ? undefined : { found, own };
};

export const observeDnsRemoval = async (context: ClusterContext, at: EndpointName): Promise<ClusterObservation> =>
  (await ownRecords(context, at)) === undefined
    ? absent()
    : pending({ handle: at.name, reason: LinodeReason.deleting });

/** The record that says whose they are goes last. */
export const removeRecords = async (context: ClusterContext, at: EndpointName): Promise<void> => {
  const records = await ownRecords(context, at);
  if (records === undefined) return;
  for (const record of records.own) await records.found.remove(record);
};
