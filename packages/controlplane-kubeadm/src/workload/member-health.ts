import type { ConditionInput } from "@capstan/contract/wire";
import { NodeResource } from "@capstan/contract/wire";
import { describeAlarms, type EtcdView, isLeaving, type Member } from "@capstan/kit/control-plane";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { KubeadmReason, MemberCondition } from "../api/control-plane-conditions.ts";
import { podHealth } from "./pod-health.ts";

export const PodResource: Resource = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const namespace = "kube-system";

/** Objects on the Nodes of the control plane. */
export interface WorkloadFacts {
  readonly nodes: ReadonlyMap<string, KubeObject>;
  /** Static Pods by name. */
  readonly pods: ReadonlyMap<string, KubeObject>;
  /** View of etcd, or why there is none; undefined when it is external. */
  readonly etcd: EtcdView | { readonly failed: string } | undefined;
}

const byName = (objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(objects.map((object) => [object.metadata.name ?? "", object]));

/** Reads Nodes and static Pods, which is all that etcd is not asked for. */
export const readWorkload = async (
  client: Client,
  call: { readonly signal: AbortSignal },
): Promise<Pick<WorkloadFacts, "nodes" | "pods">> => {
  const [nodes, pods] = await Promise.all([
    client.list(NodeResource, { labelSelector: "node-role.kubernetes.io/control-plane", ...call }),
    client.list(PodResource, { namespace, labelSelector: "tier=control-plane", ...call }),
  ]);
  return { nodes: byName(nodes.items), pods: byName(pods.items) };
};

const components = [
  [MemberCondition.apiServer, "kube-apiserver"],
  [MemberCondition.controllerManager, "kube-controller-manager"],
  [MemberCondition.scheduler, "kube-scheduler"],
] as const;

const etcdPod = [MemberCondition.etcdPod, "etcd"] as const;

/** Why nothing can be said of a Machine's components; `undefined` when it can. */
const unseen = (member: Member, { nodes }: WorkloadFacts): Omit<ConditionInput, "type"> | undefined => {
  if (isLeaving(member)) {
    return { status: "False", reason: KubeadmReason.deleting, message: "Machine is deleting" };
  }
  const unknown = (message: string): Omit<ConditionInput, "type"> => ({
    status: "Unknown",
    reason: KubeadmReason.inspectionFailed,
    message,
  });
  const { nodeRef } = member.machine.status ?? {};
  if (nodeRef === undefined) return unknown("Waiting for the Machine to have its Node");
  const node = nodes.get(nodeRef.name);
  if (node === undefined) return unknown(`Node ${nodeRef.name} does not exist`);
  const { conditions = [] } = (node["status"] ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some(({ type, status }) => type === "Ready" && status === "Unknown")
    ? unknown(`Node ${nodeRef.name} is unreachable`)
    : undefined;
};

const etcdHealth = (node: string, etcd: NonNullable<WorkloadFacts["etcd"]>): Omit<ConditionInput, "type"> => {
  const no = (message: string): Omit<ConditionInput, "type"> => ({
    status: "False",
    reason: KubeadmReason.notHealthy,
    message,
  });
  if ("failed" in etcd) {
    return { status: "Unknown", reason: KubeadmReason.inspectionFailed, message: etcd.failed };
  }
  const member = etcd.members.find(({ name }) => name === node);
  if (member === undefined) return no(`etcd has no member ${node}`);
  if (member.learner) return no("Waiting for the learner to be promoted");
  return member.alarms.length === 0
    ? { status: "True", reason: KubeadmReason.healthy }
    : no(describeAlarms(member.alarms));
};

/** The conditions of one Machine. */
export const memberConditions = (member: Member, facts: WorkloadFacts): readonly ConditionInput[] => {
  const hidden = unseen(member, facts);
  const node = member.machine.status?.nodeRef?.name ?? "";
  const watched = facts.etcd === undefined ? components : [...components, etcdPod];
  const pods = watched.map(([type, component]): ConditionInput => ({
    type,
    ...(hidden ?? podHealth(facts.pods.get(`${component}-${node}`))),
  }));
  if (facts.etcd === undefined) return pods;
  const isGone = isLeaving(member) || node === "";
  const etcd = isGone && hidden !== undefined ? hidden : etcdHealth(node, facts.etcd);
  return [...pods, { type: MemberCondition.etcdMember, ...etcd }];
};
