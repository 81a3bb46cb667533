import { Group } from "@capstan/contract";
import { conditionOf, MachineResource, ownerOfKind } from "@capstan/contract/wire";
import type { ClusterObservation } from "@capstan/kit/cluster";
import { absent, failed, pending, present } from "@capstan/kit/cluster";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { LinodeReason } from "../api/linode-conditions.ts";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { linodeError } from "../cloud/errors.ts";
import type { ClusterContext } from "./node-balancer.ts";
import { ownersOf, recordChanges, wantedRecords } from "./dns-records.ts";
import type { NamedRecords } from "../dns/zone.ts";
import { apiPort } from "./endpoint.ts";
import type { EndpointPlan } from "./endpoint.ts";
import { requirementConditions } from "./requirements.ts";

/** The endpoint's name, and who serves its zone. */
type EndpointName = Extract<EndpointPlan, { readonly kind: "dns" }>;

/** Linode's shortest. */
const defaultTtl = 30;
/** Until it is asked again whether a machine may be reached by the name. */
const waitingPollMs = 8000;

/** Conditions of a Machine that a control plane of kubeadm sets; one that nobody has set says nothing. */
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
  const owners = ownersOf(found.records);
  if (owners.length > 0 && !owners.includes(identity.name)) {
    const message = `${at.name}.${at.zone} is the endpoint of ${owners.join(", ")}; set network.dnsUniqueIdentifier`;
    return failed({ handle: at.name, reason: LinodeReason.dnsNameTaken, message });
  }
  const endpoint = { host: `${at.name}.${at.zone}`, port: apiPort(object.spec) };
  const facts = { handle: at.name, endpoint, conditions: requirementConditions(context) };
  const serving = servingMachines(context);
  const { add, keep, remove } = recordChanges(wantedRecords(serving, identity.name), found.records);
  const ttl = ttlOf(object);
  const isRight = add.length + remove.length === 0 && keep.every((record) => found.lasts(record, ttl));
  const polled = serving.length < controlPlaneMachines.length ? { ...facts, pollMs: waitingPollMs } : facts;
  return present(isRight ? polled : { ...polled, step: "setRecords" });
};

/** First what is missing, then what is too much: the name never leads nowhere. */
export const setRecords = async (context: ClusterContext, at: EndpointName): Promise<void> => {
  const { identity, object } = context;
  const found = await lookUp(context, at);
  if (found === undefined) return;
  const { add, keep, remove } = recordChanges(wantedRecords(servingMachines(context), identity.name), found.records);
  const ttl = ttlOf(object);
  for (const record of add) await found.add(record, ttl);
  for (const record of keep) if (!found.lasts(record, ttl)) await found.setTtl(record, ttl);
  for (const record of remove) await found.remove(record);
};

/** Records under the name that are this cluster's: those of others, and of nobody, stay. */
const ownRecords = async (context: ClusterContext, at: EndpointName): Promise<NamedRecords | undefined> => {
  const found = await lookUp(context, at);
  if (found === undefined || !ownersOf(found.records).includes(context.identity.name)) return undefined;
  return found;
};

export const observeDnsRemoval = async (context: ClusterContext, at: EndpointName): Promise<ClusterObservation> => {
  const found = await ownRecords(context, at);
  return found === undefined ? absent() : pending({ handle: at.name, reason: LinodeReason.deleting });
};

/** The record that says whose they are goes last. */
export const removeRecords = async (context: ClusterContext, at: EndpointName): Promise<void> => {
  const { identity } = context;
  const found = await ownRecords(context, at);
  if (found === undefined) return;
  const addresses = found.records.filter(({ type }) => type === "A" || type === "AAAA");
  const owner = found.records.filter(({ target, type }) => type === "TXT" && target === identity.name);
  for (const record of [...addresses, ...owner]) await found.remove(record);
};
