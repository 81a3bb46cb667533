import { Label } from "@capstan/contract";
import { nameOfMember, type Member } from "@capstan/kit/control-plane";
import { Machines } from "@capstan/kit/machines";
import { selectorText } from "@capstan/kube-values";
import { withAnyMember, type Context } from "../etcd/etcd-access.ts";
import type { EtcdView } from "@capstan/kit/control-plane";
import { healthyIds, membersOfMachines, workingMembers } from "./etcd-members.ts";
import { describeMember } from "../etcd/membership.ts";
import { nextStray } from "../etcd/quorum.ts";
import { KubeadmEvent } from "../api/control-plane-conditions.ts";
import { nodesOf } from "./members.ts";

/** Findings about members without a Machine, and what was done. */
export interface Strays {
  /** One text for each member. */
  readonly said: readonly string[];
  /** One of them was removed. */
  readonly removed: boolean;
}

/** The Machines as the API server has them; `undefined` when there are others than the cache shows, one of which could have the member. */
const readLive = async ({ call, client, cluster, members }: Context): Promise<readonly Member[] | undefined> => {
  const { namespace = "", name = "" } = cluster.metadata;
  const labelSelector = selectorText({ matchLabels: { [Label.clusterName]: name, [Label.controlPlane]: "" } });
  const { items } = await client.list(Machines, { namespace, labelSelector, ...call });
  const live = items.flatMap((machine) => {
    const member = members.find((each) => each.machine.metadata.uid === machine.metadata.uid);
    return member === undefined ? [] : [{ ...member, machine }];
  });
  return live.length === items.length ? live : undefined;
};

/** The members of no Machine, and which of them is to go next. */
const inspect = (view: EtcdView, members: readonly Member[], works: (member: Member) => boolean) => {
  const membership = membersOfMachines(view, members);
  const ids = healthyIds(membership, members, works);
  const { abandoned } = membership;
  return { abandoned, next: nextStray(view.members, abandoned, ids) };
};

/**
 * Removes a member of etcd that no Machine has any more: it counts for the majority, and the next loss would take etcd away. One at a time,
 * and only while the others are a safe majority. `healthy`: names of the Machines whose members work.
 */
export const removeStrays = async (context: Context, view: EtcdView, healthy: ReadonlySet<string>): Promise<Strays> => {
  const isHealthy = (member: Member): boolean => healthy.has(nameOfMember(member));
  if (inspect(view, context.members, isHealthy).abandoned.length === 0) return { said: [], removed: false };
  const members = await readLive(context);
  if (members === undefined) return { said: [], removed: false };
  const working = await workingMembers(context, members, isHealthy);
  const { abandoned, next } = inspect(view, members, (member) => working.has(member));
  const isDue = next !== undefined && "remove" in next;
  if (isDue) {
    await withAnyMember(context, nodesOf(members), (client) => client.remove(next.remove.id));
    const message = `Removed ${describeMember(next.remove)}, which had no Machine`;
    context.event({ type: "Normal", reason: KubeadmEvent.memberRemoved, message });
  }
  const why = next !== undefined && "obstacle" in next ? `it is kept while ${next.obstacle}` : "it is being removed";
  return { said: abandoned.map((member) => `${describeMember(member)} has no Machine; ${why}`), removed: isDue };
};
