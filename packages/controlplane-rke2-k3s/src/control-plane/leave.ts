import { isCapstanError } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import {
  type ControlPlaneContext,
  ControlPlaneReason,
  isLeaving,
  type Member,
  nameOfMember,
  type OfMember,
  quorumObstacle as etcdObstacle,
} from "@capstan/kit/control-plane";
import type { Waiting } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import { etcdPrefix, hasOwnEtcd } from "../distribution/distribution.ts";
import { handOver, healthyMembers, memberOf } from "../workload/etcd.ts";
import { quorumObstacle } from "../workload/quorum.ts";
import { isReady, type Servers } from "../workload/servers.ts";
import { Reason } from "../api/conditions.ts";
import { planLeave } from "./leave-plan.ts";
import { type Kept, lookAfresh, lookAtCluster, type SeenCluster } from "./look-at-cluster.ts";

type AtMember<O extends KubeObject> = ControlPlaneContext<O> & OfMember;

/** The cluster, seen from one of its servers. */
interface Seen extends SeenCluster {
  readonly node: string;
}

const nodeOf = ({ machine }: Member): string | undefined => machine.status?.nodeRef?.name;

const lookAt = async <O extends KubeObject>(kept: Kept<O>, context: AtMember<O>, node: string): Promise<Seen> => ({
  node,
  ...(await lookAtCluster(kept, context)),
});

/** Why the API would not be served without a Machine. */
const serviceObstacle = <O extends KubeObject>(
  { member, members }: AtMember<O>,
  servers: Servers,
): string | undefined => {
  const serves = members.some((other) => {
    const server = other === member || isLeaving(other) ? undefined : servers.get(nodeOf(other) ?? "");
    return isReady(server);
  });
  return serves ? undefined : `no other Machine would serve the API without ${nameOfMember(member)}`;
};

/** Why etcd would lose quorum without the member of a Node: the Nodes have to agree, and etcd itself where it can be asked. */
const memberObstacle = ({ etcd, node, servers }: Seen): string | undefined => {
  const byNodes = quorumObstacle(servers, node);
  if (byNodes !== undefined || etcd === undefined) return byNodes;
  if ("failed" in etcd) return `etcd cannot be asked: ${etcd.failed}`;
  const leaving = memberOf(etcd, servers.get(node));
  return etcdObstacle(etcd.members, { leaving: leaving?.id, healthy: healthyMembers(etcd, servers) });
};

/**
 * Lets another member lead, those of Machines that stay first. Only the leader can hand over, so that it is asked on its own Node. Where it
 * does not answer, the others elect another leader once it is gone, as long as they are a safe majority.
 */
const letAnotherLead = async <O extends KubeObject>(context: AtMember<O>, seen: Seen): Promise<Waiting | undefined> => {
  const { members, member } = context;
  const { etcd, node, path, servers } = seen;
  if (path === undefined || etcd === undefined || "failed" in etcd) return undefined;
  const own = memberOf(etcd, servers.get(node));
  if (own === undefined || own.id !== etcd.leader) return undefined;
  const heirs = members
    .filter((other) => other !== member)
    .toSorted((left, right) => Number(isLeaving(left)) - Number(isLeaving(right)))
    .flatMap((other) => {
      const server = servers.get(nodeOf(other) ?? "");
      return isReady(server) ? (memberOf(etcd, server) ?? []) : [];
    })
    .filter(({ learner }) => !learner);
  if (heirs.length === 0) return undefined;
  lookAfresh(context);
  try {
    await handOver(path, node, heirs);
    return undefined;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const obstacle = memberObstacle(seen);
    return obstacle === undefined
      ? undefined
      : { reason: Reason.leadership, message: `etcd on ${node} cannot hand over: ${error.message}; ${obstacle}` };
  }
};

/** Lets another member of etcd lead before a Machine is deleted, so that the cluster does not stop to elect one. */
export const beforeDeletion = async <O extends KubeObject>(
  kept: Kept<O>,
  context: AtMember<O>,
): Promise<Waiting | void> => {
  const node = nodeOf(context.member);
  if (node === undefined || !context.initialized) return undefined;
  return letAnotherLead(context, await lookAt(kept, context, node));
};

/** Says on a Node whether the servers shall remove its member. */
const request = async <O extends KubeObject>(
  context: AtMember<O>,
  name: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const client = await context.workload();
  lookAfresh(context);
  await client.patch(NodeResource, { name }, { type: "merge", body: { metadata: { annotations } } }, context.call);
};

/** A Machine that is drained leaves etcd before it goes, when what stays is a safe majority. The servers remove its member. */
export const leaveEtcd = async <O extends KubeObject>(kept: Kept<O>, context: AtMember<O>): Promise<Waiting | void> => {
  const { of } = kept;
  const name = nodeOf(context.member);
  // With its Node goes a member that came later.
  if (name === undefined) return undefined;
  const seen = await lookAt(kept, context, name);
  const { servers } = seen;
  const member = hasOwnEtcd(of, context.object) ? servers.get(name)?.member : undefined;
  const plan = planLeave({ member, service: serviceObstacle(context, servers), quorum: memberObstacle(seen) });
  const prefix = etcdPrefix(of.distribution);
  if (plan.action === "go") return undefined;
  if (plan.action === "stay") {
    if (plan.withdraw) await request(context, name, { [`${prefix}/remove`]: null });
    return { reason: ControlPlaneReason.waitingForQuorum, message: plan.obstacle };
  }
  if (plan.action === "ask") {
    await letAnotherLead(context, seen);
    await request(context, name, { [`${prefix}/remove`]: "true" });
  }
  return {
    reason: Reason.waitingForEtcd,
    message: `waiting for the servers to remove the etcd member of Node ${name} (annotation ${prefix}/removed-node-name)`,
  };
};

/** Why an unhealthy Machine must not be replaced: the cluster would be lost with it. */
export const beforeRemediation = async <O extends KubeObject>(
  kept: Kept<O>,
  context: AtMember<O>,
): Promise<readonly string[]> => {
  const node = nodeOf(context.member);
  if (node === undefined) return [];
  const seen = await lookAt(kept, context, node);
  const obstacles = [
    serviceObstacle(context, seen.servers),
    hasOwnEtcd(kept.of, context.object) ? memberObstacle(seen) : undefined,
  ];
  return obstacles.filter((obstacle) => obstacle !== undefined);
};

const excludedLabel = "node.kubernetes.io/exclude-from-external-load-balancers";

/** Takes the Node of a Machine out of external load balancers before it is drained. */
export const leaveLoadBalancers = async <O extends KubeObject>(context: AtMember<O>): Promise<void> => {
  const name = nodeOf(context.member);
  if (name === undefined) return;
  const client = await context.workload();
  const node = await client.find(NodeResource, { name }, context.call);
  if (node === undefined || node.metadata.labels?.[excludedLabel] === "true") return;
  const body = { metadata: { labels: { [excludedLabel]: "true" } } };
  await client.patch(NodeResource, { name }, { type: "merge", body }, context.call);
};
