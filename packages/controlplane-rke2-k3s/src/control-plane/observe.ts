import { NodeResource, type ConditionInput } from "@capstan/contract/wire";
import {
  type ControlPlaneContext,
  type ControlPlaneHealth,
  describeQuorum,
  isLeaving,
  type Member,
  nameOfMember,
  summarizeMembers,
} from "@capstan/kit/control-plane";
import type { KubeObject } from "@capstan/schema";
import { type ControlPlaneDistribution, hasOwnEtcd } from "../distribution/distribution.ts";
import { type EtcdOfServers, healthyMembers, withNodeNames } from "../workload/etcd.ts";
import type { Servers } from "../workload/servers.ts";
import { componentsCondition, MemberCondition, Reason } from "../api/conditions.ts";
import { type Kept, lookAtCluster } from "./look-at-cluster.ts";
import { memberConditions } from "./member-conditions.ts";
import { olderConditions } from "./older-conditions.ts";
import { registrationAddresses } from "./registration.ts";

/** Delays before the next look at the cluster, in milliseconds: while something is unhealthy, and otherwise. */
const soonMs = 20_000;
const laterMs = 60_000;

/** Nodes of servers have the annotations that the control plane wants; others stay. */
const annotateNode = async <O extends KubeObject>(
  context: ControlPlaneContext<O>,
  member: Member,
  { servers, wanted }: { readonly servers: Servers; readonly wanted: Readonly<Record<string, string>> },
): Promise<readonly ConditionInput[]> => {
  const name = member.machine.status?.nodeRef?.name ?? "";
  const node = servers.get(name)?.node;
  if (node === undefined || isLeaving(member) || Object.keys(wanted).length === 0) return [];
  const { annotations = {} } = node.metadata;
  if (Object.entries(wanted).some(([key, value]) => annotations[key] !== value)) {
    const client = await context.workload();
    await client.patch(
      NodeResource,
      { name },
      { type: "merge", body: { metadata: { annotations: wanted } } },
      context.call,
    );
  }
  return [{ type: MemberCondition.nodeMetadata, status: "True", reason: Reason.upToDate }];
};

const sayRegistration = <O extends KubeObject>(
  { registrationMethod }: ControlPlaneDistribution<O>,
  context: ControlPlaneContext<O>,
): void => {
  if (registrationMethod === undefined) return;
  const addresses = registrationAddresses(registrationMethod(context.object), context.cluster, context.members);
  context.status({ availableServerIPs: addresses.length === 0 ? null : addresses });
};

const quorumText = (etcd: EtcdOfServers, servers: Servers): string =>
  describeQuorum(withNodeNames(etcd, servers), healthyMembers(etcd, servers));

/** Looks at the servers of the cluster that runs and at their etcd, and says where machines register. */
export const observe = async <O extends KubeObject>(
  kept: Kept<O>,
  context: ControlPlaneContext<O>,
): Promise<ControlPlaneHealth> => {
  const { of } = kept;
  const ownEtcd = hasOwnEtcd(of, context.object);
  sayRegistration(of, context);
  if (of.hasOlderConditions === true) {
    const { replicas = 1 } = of.desired(context.object);
    for (const condition of olderConditions(context.members, replicas)) context.condition(condition);
  }
  if (!context.initialized) {
    const waiting = {
      status: "Unknown",
      reason: Reason.inspectionFailed,
      message: "Waiting for the control plane to be initialized",
    } as const;
    context.condition({ type: componentsCondition, ...waiting });
    if (ownEtcd) context.condition({ type: of.etcdCondition, ...waiting });
    return {};
  }
  const { etcd, servers } = await lookAtCluster(kept, context);
  const wanted = of.nodeAnnotations(context.object);
  const said = new Map<string, readonly ConditionInput[]>();
  for (const member of context.members) {
    const annotated = await annotateNode(context, member, { servers, wanted });
    said.set(nameOfMember(member), [...memberConditions(member, servers, { etcd, ownEtcd }), ...annotated]);
  }
  context.condition(summarizeMembers(componentsCondition, said, new Set([MemberCondition.agent])));
  if (ownEtcd) {
    const well = etcd === undefined || "failed" in etcd ? "" : quorumText(etcd, servers);
    context.condition(summarizeMembers(of.etcdCondition, said, new Set([MemberCondition.etcd]), { well }));
  }
  const isWell = [...said.values()].flat().every(({ status }) => status === "True");
  return {
    machines: Object.fromEntries(said),
    broken: [...said].flatMap(([name, conditions]) =>
      conditions.some(({ status, reason }) => status === "False" && reason !== Reason.deleting) ? [name] : [],
    ),
    requeueAfterMs: isWell ? laterMs : soonMs,
  };
};
