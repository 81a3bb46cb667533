import { LinodeReason } from "../api/linode-conditions.ts";
import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { ClusterObservation } from "@capstan/kit/cluster";
import { absent, failed, infraCluster, pending, present } from "@capstan/kit/cluster";
import { requireDefaultCredentials } from "@capstan/kit";
import { lacksEpoch, ownedByAnother } from "@capstan/kit/engine";
import type { NodeBalancer } from "@capstan/linode-client";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Connect } from "../cloud/connections.ts";
import { namedSecret } from "../cloud/secret-ref.ts";
import { edgeDnsZones } from "../dns/edge-dns-zone.ts";
import { linodeZones } from "../dns/linode-zone.ts";
import type { LinodeProviderOptions } from "../options.ts";
import { observeDns, observeDnsRemoval, removeRecords, setRecords } from "./dns-endpoint.ts";
import { guardBalancer, isGuarded } from "./balancer-firewall.ts";
import { additionalConfigs, closePorts, portsAnnotation } from "./closed-ports.ts";
import { endpointConditions } from "./endpoint-condition.ts";
import { apiPort, endpointPlan } from "./endpoint.ts";
import type { EndpointPlan } from "./endpoint.ts";
import {
  balance,
  balancedPorts,
  balancerFacts,
  balancerHolder,
  balancerOwned,
  createNodeBalancer,
  findNodeBalancer,
  isMade,
  isManaged,
  markBalancer,
  openPort,
  portStates,
} from "./node-balancer.ts";
import type { ClusterApi, ClusterContext } from "./node-balancer.ts";
import { secretHoldNames } from "../resource/finalizers.ts";
import { requirementConditions, requirementsOf, requirementUses } from "./requirements.ts";

/** Clusters at Linode: the endpoint of the control plane and what balances it. */
export const linodeCluster = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  infraCluster<LinodeCluster, ClusterApi, LinodeMachine, typeof requirementUses>({
    kind: LinodeCluster,
    machineKind: LinodeMachine,
    finalizer: `linodecluster.${Group.infrastructure}`,
    oldFinalizers: [`${Group.infrastructure}/v1alpha2`],
    ownAnnotations: [portsAnnotation],
    concurrency: options.clusterConcurrency ?? 10,
    credentialsRef: ({ object }) => namedSecret(object.spec.credentialsRef),
    holdNames: () => secretHoldNames(LinodeCluster),
    uses: requirementUses,
    connect: ({ clock, credentials, object, random }) => ({
      ...connect(credentials, object),
      zones: {
        linode: linodeZones(connect(credentials, object, "dns")),
        akamai: edgeDnsZones(credentials, {
          client: options.edgeDns,
          permit: () => permitEdgeDns(options, object),
          clock,
          random,
          proxyFor: options.proxyFor,
          guard: options.guard,
        }),
      },
    }),
    observe: (context) =>
      context.object.metadata.deletionTimestamp === undefined ? observe(context) : observeRemoval(context),
    create: createNodeBalancer,
    steps: {
      openPort,
      closePorts,
      balance,
      guard: guardBalancer,
      mark: markBalancer,
      setRecords: async (context) => {
        const plan = planOf(context);
        if (plan.kind === "dns") await setRecords(context, plan);
      },
    },
    remove: async (context) => {
      const { api, call, handle } = context;
      const plan = planOf(context);
      if (plan.kind === "dns") await removeRecords(context, plan);
      else await api.deleteBalancer(Number(handle), call);
    },
  });

const permitEdgeDns = ({ defaultCredentials }: LinodeProviderOptions, { metadata }: LinodeCluster): void =>
  requireDefaultCredentials(defaultCredentials, metadata.namespace ?? "", "the manager's client of Edge DNS");

const planOf = ({ identity, object }: ClusterContext): EndpointPlan => endpointPlan(object.spec, identity.name);

const observe = async (context: ClusterContext): Promise<ClusterObservation> => {
  const { additional, object, api, call } = context;
  if (additional) return present();
  const plan = planOf(context);
  if (plan.kind === "refused") return failed({ reason: plan.reason, message: plan.message });
  const requirements = requirementsOf(context);
  const isProvisioned = object.status?.ready === true;
  const conditions = requirementConditions(context);
  if ("waiting" in requirements && !isProvisioned) return absent({ ...requirements.waiting, conditions });
  if (plan.kind === "external") {
    return present({ conditions, endpoint: { host: plan.host, port: apiPort(object.spec) } });
  }
  if (plan.kind === "dns") return observeDns(context, plan);
  const balancer = await findNodeBalancer(context);
  if (balancer === undefined) return isRecorded(object) ? lost(object) : absent({ conditions });
  const holder = balancerHolder(balancer, context);
  if (holder.kind === "theirs") return failed(ownedByAnother(context, takenBalancer(balancer, holder.owner)));
  const configs = await api.balancerConfigs(balancer.id, call);
  const { surplus, ...noted } = additionalConfigs(context, balancer, configs);
  const facts = {
    ...balancerFacts(object, balancer, configs),
    ...(holder.kind === "ours" && { tags: balancer.tags }),
    ...noted,
    conditions: [...conditions, balancerOwned(balancer, context), ...endpointConditions(context, balancer)],
  };
  if (!isManaged(balancer, context)) return present(facts);
  const closed = balancedPorts(object).some((port) => configs.every((config) => config.port !== port));
  if (closed) return pending({ ...facts, reason: LinodeReason.openingPorts, step: "openPort" });
  const states = await portStates(context, balancer.id, configs);
  const unreachable = [...new Set(states.flatMap((state) => state.unreachable))];
  if (unreachable.length > 0) warnUnreachable(context, unreachable);
  const isUnmarked = holder.kind === "ours" && (!holder.isMarked || lacksEpoch(balancer.tags, context.identity));
  if (isUnmarked) return present({ ...facts, step: "mark" });
  if (surplus.length > 0) return present({ ...facts, step: "closePorts" });
  if (!(await isGuarded(context, balancer.id))) return present({ ...facts, step: "guard" });
  const balanced = states.every(({ changes }) => changes.add.length === 0 && changes.remove.length === 0);
  return present(balanced ? facts : { ...facts, step: "balance" });
};

const takenBalancer = ({ id, ipv4 }: NodeBalancer, owner: string | undefined) => {
  const mend = "recreate the cluster without spec.network.nodeBalancerID and spec.controlPlaneEndpoint";
  return { what: `NodeBalancer ${id} with the address ${ipv4}`, owner, mend };
};

const isRecorded = ({ spec }: LinodeCluster): boolean => (spec.controlPlaneEndpoint?.host ?? "") !== "";

/** A new one would have another address, which no one who knows the old one would find. */
const lost = ({ spec }: LinodeCluster): ClusterObservation =>
  failed({
    reason: LinodeReason.nodeBalancerMissing,
    message: `NodeBalancer ${spec.network?.nodeBalancerID} with the address ${spec.controlPlaneEndpoint?.host} was deleted outside of Capstan; its address cannot be recovered`,
  });

const warnUnreachable = (context: ClusterContext, names: readonly string[]): void => {
  context.event({
    type: "Warning",
    reason: LinodeReason.backendUnreachable,
    message: `no private address for the NodeBalancer: ${names.join(", ")}; set privateIP, or use VPC backends`,
  });
};

/** Observes the NodeBalancer that is left to remove, if it was made for us. One that the user brought stays. */
const observeRemoval = async (context: ClusterContext): Promise<ClusterObservation> => {
  const plan = planOf(context);
  if (plan.kind === "dns") return observeDnsRemoval(context, plan);
  const balancer = await findNodeBalancer(context);
  if (balancer === undefined || !isMade(balancer, context)) return absent();
  return pending({ handle: String(balancer.id), tags: balancer.tags, reason: LinodeReason.deleting });
};
