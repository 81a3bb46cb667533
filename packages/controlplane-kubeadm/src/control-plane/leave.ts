import { isCapstanError } from "@capstan/contract";
import {
  ControlPlaneReason,
  type EtcdMember,
  type EtcdView,
  hasNode,
  isLeaving,
  type Member,
  nameOfMember,
  type OfMember,
  quorumObstacle,
} from "@capstan/kit/control-plane";
import type { Waiting } from "@capstan/kit/engine";
import { KubeadmReason } from "../api/control-plane-conditions.ts";
import { hasOwnEtcd, viewOfEtcd, withAnyMember, withMember, type Context } from "../etcd/etcd-access.ts";
import { healthyIds, membersOfMachines, workingMembers } from "../workload/etcd-members.ts";
import { isHealthyMember, nodeOf, nodesOf, servesWithout } from "../workload/members.ts";
import { joinFacts, stopJoining } from "./stop-joining.ts";

type AtMember = Context & OfMember;

/** View of etcd from one Machine. */
interface Seen {
  readonly view: EtcdView;
  /** The Machine's own member. */
  readonly own: EtcdMember | undefined;
  /** Why the others were no safe majority. */
  readonly obstacle: string | undefined;
}

const lookAt = async (context: AtMember, nodes: readonly string[]): Promise<Seen> => {
  const view = await viewOfEtcd(context, nodes);
  const membership = membersOfMachines(view, context.members);
  const own = membership.byMachine.get(nameOfMember(context.member));
  const others = context.members.filter((member) => member !== context.member);
  const working = await workingMembers(context, others, isHealthyMember);
  const healthy = healthyIds(membership, context.members, (member) => working.has(member));
  return { view, own, obstacle: quorumObstacle(view.members, { leaving: own?.id, healthy }) };
};

/** Machines whose members can lead, those that stay and the healthy ones first. */
const heirs = ({ members, member }: AtMember): readonly Member[] =>
  members
    .filter((other) => other !== member && hasNode(other))
    .toSorted(
      (left, right) =>
        Number(isLeaving(left)) - Number(isLeaving(right)) ||
        Number(isHealthyMember(right)) - Number(isHealthyMember(left)),
    );

/**
 * Lets another member lead. Only the leader can hand over, so that it is asked on its own Machine. Where it no longer answers, the
 * others elect another leader once it is gone, as long as they are a safe majority.
 */
const handOver = async (context: AtMember, { obstacle, own, view }: Seen): Promise<Waiting | undefined> => {
  if (own === undefined || own.id !== view.leader) return undefined;
  const targets = heirs(context).flatMap((heir) => view.members.filter(({ name }) => name === nodeOf(heir)));
  let why = "no other Machine has a member of etcd";
  for (const { id, name } of targets) {
    try {
      await withMember(context, own.name, (client) => client.moveLeader(id));
      return undefined;
    } catch (error) {
      if (!isCapstanError(error)) throw error;
      why = `${name}: ${error.message}`;
    }
  }
  return obstacle === undefined
    ? undefined
    : {
        reason: KubeadmReason.leadership,
        message: `etcd on ${own.name} cannot transfer leadership: ${why}; ${obstacle}`,
      };
};

/** Before a Machine is deleted: another member leads, so that the cluster does not stop to elect one. */
export const beforeDeletion = async (context: AtMember): Promise<Waiting | void> => {
  const { initialized, member, members, object } = context;
  if (!initialized || !hasOwnEtcd(object) || !hasNode(member)) return undefined;
  return handOver(context, await lookAt(context, nodesOf(members)));
};

/** A Machine that is drained leaves etcd before it goes, when what stays is a safe majority. */
export const leaveEtcd = async (context: AtMember): Promise<Waiting | void> => {
  const { member, members, object } = context;
  const isOwn = hasOwnEtcd(object);
  if (hasNode(member) && !servesWithout(members, member, isOwn)) {
    const message = `no other Machine would serve the API without ${nameOfMember(member)}`;
    return { reason: ControlPlaneReason.waitingForQuorum, message };
  }
  if (!isOwn) return undefined;
  const facts = hasNode(member) ? undefined : await joinFacts(context);
  // No one has to be asked about a server that cannot have begun.
  if (facts?.hasData === false) return stopJoining(context, facts);
  const others = nodesOf(members, member);
  const seen = await lookAt(context, others);
  const { obstacle, own } = seen;
  if (own === undefined) return stopJoining(context, facts ?? (await joinFacts(context)));
  if (obstacle !== undefined) return { reason: ControlPlaneReason.waitingForQuorum, message: obstacle };
  await handOver(context, seen);
  try {
    return await withAnyMember(context, others, (client) => client.remove(own.id));
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { reason: ControlPlaneReason.waitingForQuorum, message: error.message };
  }
};

/** Why an unhealthy Machine must not be replaced: the cluster would be lost with it. */
export const beforeRemediation = async (context: AtMember): Promise<readonly string[]> => {
  const { member, members, object } = context;
  const isOwn = hasOwnEtcd(object);
  const serves =
    !hasNode(member) || servesWithout(members, member, isOwn)
      ? []
      : [`no other Machine would serve the API without ${nameOfMember(member)}`];
  if (!isOwn) return serves;
  const { obstacle } = await lookAt(context, nodesOf(members));
  return obstacle === undefined ? serves : [...serves, obstacle];
};
