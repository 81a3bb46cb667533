import type { ControllerV1 } from "@capstan/contract/v1";
import { rfc3339 } from "@capstan/contract";
import { controller, watch, type ReconcileContext, type Result } from "@capstan/runtime";
import { type EtcdCluster, EtcdError } from "../etcd/etcd-cluster.ts";
import { etcdPrefixes } from "../etcd/node-annotations.ts";
import { Node, type NodeObject } from "../kinds/workload-kinds.ts";

/** Delay before a removal that the other members refuse is retried. */
const retryMs = 5000;

const voterCondition = "EtcdIsVoter";

const sayVoter = async (node: NodeObject, isVoter: boolean, { client, clock, signal }: ReconcileContext) => {
  const { conditions = [] } = node.status ?? {};
  const status = isVoter ? "True" : "False";
  if (conditions.find(({ type }) => type === voterCondition)?.status === status) return;
  const reason = isVoter ? "MemberNotLearner" : "MemberIsLearner";
  const message = `Node is a ${isVoter ? "voting" : "non-voting"} member of the etcd cluster`;
  const said = { type: voterCondition, status, reason, message, lastTransitionTime: rfc3339(clock.now()) };
  const body = { status: { conditions: [...conditions.filter(({ type }) => type !== voterCondition), said] } };
  const { name = "", resourceVersion } = node.metadata;
  const options = { subresource: "status", signal } as const;
  await client.patch(Node, { name }, { type: "merge", body: { ...body, metadata: { resourceVersion } } }, options);
};

/** Removes a member, unless it is none any more. False when the others refuse now. */
const isRemoved = (etcd: EtcdCluster, name: string): boolean => {
  const member = etcd.members.find((each) => each.name === name);
  if (member === undefined) return true;
  try {
    etcd.remove(member.id);
    return true;
  } catch (error) {
    if (error instanceof EtcdError) return false;
    throw error;
  }
};

/**
 * Manages the members of etcd by annotations of Nodes, as servers of k3s and RKE2 do: the member of a Node with
 * `etcd.<distribution>.cattle.io/remove: "true"` is removed and then named in `removed-node-name`; that of a deleted Node is removed too.
 */
export const managedEtcd = (etcd: EtcdCluster): ControllerV1 => {
  const known = new Map<string, string>();
  return controller({
    name: "managed-etcd",
    sources: [watch(Node)],
    reconcile: async ({ name }, context): Promise<Result | void> => {
      const node = context.cache.get(Node, { name });
      if (node === undefined) {
        const member = known.get(name);
        if (member === undefined) return undefined;
        if (!isRemoved(etcd, member)) return { requeueAfterMs: retryMs };
        known.delete(name);
        return undefined;
      }
      const { annotations = {} } = node.metadata;
      const prefix = etcdPrefixes.find((each) => annotations[`${each}/node-name`] !== undefined);
      const member = annotations[`${prefix}/node-name`];
      if (prefix === undefined || member === undefined) return undefined;
      known.set(name, member);
      if (annotations[`${prefix}/removed-node-name`] === member) return undefined;
      if (annotations[`${prefix}/remove`] !== "true") {
        const seen = etcd.members.find((each) => each.name === member);
        return seen === undefined ? undefined : sayVoter(node, seen.isLearner !== true, context);
      }
      if (!isRemoved(etcd, member)) return { requeueAfterMs: retryMs };
      const body = { metadata: { annotations: { [`${prefix}/removed-node-name`]: member } } };
      await context.client.patch(Node, { name }, { type: "merge", body }, { signal: context.signal });
      return undefined;
    },
  });
};
