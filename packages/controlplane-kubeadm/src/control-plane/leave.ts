import { isCapstanError } from "@capstan/contract";
import { hasNode, isLeaving, nameOfMember, type Member, type OfMember } from "@capstan/kit/control-plane";
import type { Waiting } from "@capstan/kit/engine";
import { KubeadmReason } from "../api/control-plane-conditions.ts";
import { nodesOf } from "../workload/observe.ts";
import { hasOwnEtcd, viewOfEtcd, withAnyMember, withMember, type Context } from "../etcd/etcd-access.ts";
import type { EtcdView } from "../etcd/etcd-client.ts";
import { isHealthyMember, servesWithout } from "../workload/members.ts";
import { quorumObstacle } from "../etcd/quorum.ts";

type AtMember = Context & OfMember;

const nodeOf = ({ machine }: Member): string => machine.status?.nodeRef?.name ?? "";

const obstacleIn = ({ members, member }: AtMember, view: EtcdView): string | undefined =>
  quorumObstacle(view.members, {
    leaving: nodeOf(member),
    healthy: new Set(members.filter(isHealthyMember).map(nodeOf)),
    ofMachines: new Set(members.filter(hasNode).map(nodeOf)),
  });

/** Machines whose members can lead, the healthy ones first. */
const heirs = ({ members, member }: AtMember): readonly Member[] =>
  members
    .filter((other) => other !== member && hasNode(other) && !isLeaving(other))
    .toSorted((left, right) => Number(isHealthyMember(right)) - Number(isHealthyMember(left)));

const isLeader = (view: EtcdView, node: string): boolean =>
  view.members.some(({ id, name }) => name === node && id === view.leader);

/** Lets another member lead. Only the leader can hand over, so that it is asked on its own Machine. */
const handOver = async (context: AtMember, view: EtcdView): Promise<Waiting | undefined> => {
  const node = nodeOf(context.member);
  if (!isLeader(view, node)) return undefined;
  const targets = heirs(context).flatMap((heir) => view.members.filter(({ name }) => name === nodeOf(heir)));
  let why = "no other Machine has a member of etcd";
  for (const { id, name } of targets) {
    try {
      await withMember(context, node, (client) => client.moveLeader(id));
      return undefined;
    } catch (error) {
      if (!isCapstanError(error)) throw error;
      why = `${name}: ${error.message}`;
    }
  }
  return { reason: KubeadmReason.leadership, message: `etcd on ${node} cannot hand over: ${why}` };
};

/** Before a Machine is deleted: another member leads, so that the cluster does not stop to elect one. */
export const beforeDeletion = async (context: AtMember): Promise<Waiting | void> => {
  const { initialized, member, members, object } = context;
  if (!initialized || !hasOwnEtcd(object) || !hasNode(member)) return undefined;
  return handOver(context, await viewOfEtcd(context, nodesOf(members)));
};

/** A Machine that is drained leaves etcd before it goes, when what stays is a safe majority. */
export const leaveEtcd = async (context: AtMember): Promise<Waiting | void> => {
  const { member, members, object } = context;
  const isOwn = hasOwnEtcd(object);
  if (!servesWithout(members, member, isOwn)) {
    const message = `no other Machine would serve the API without ${nameOfMember(member)}`;
    return { reason: KubeadmReason.waitingForQuorum, message };
  }
  const node = nodeOf(member);
  if (!isOwn || node === "") return undefined;
  const view = await viewOfEtcd(context, nodesOf(members, member));
  const own = view.members.find(({ name }) => name === node);
  if (own === undefined) return undefined;
  const message = obstacleIn(context, view);
  if (message !== undefined) return { reason: KubeadmReason.waitingForQuorum, message };
  const waiting = await handOver(context, view);
  if (waiting !== undefined) return waiting;
  return withAnyMember(context, nodesOf(members, member), (client) => client.remove(own.id));
};

/** Why an unhealthy Machine must not be replaced: the cluster would be lost with it. */
export const beforeRemediation = async (context: AtMember): Promise<readonly string[]> => {
  const { member, members, object } = context;
  const isOwn = hasOwnEtcd(object);
  const serves = servesWithout(members, member, isOwn)
    ? []
    : [`no other Machine would serve the API without ${nameOfMember(member)}`];
  if (!isOwn) return serves;
  const message = obstacleIn(context, await viewOfEtcd(context, nodesOf(members)));
  return message === undefined ? serves : [...serves, message];
};
