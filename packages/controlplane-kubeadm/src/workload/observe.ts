import type { ConditionInput } from "@capstan/contract/wire";
import { isCapstanError } from "@capstan/contract";
import { hasNode, isLeaving, nameOfMember, type ControlPlaneHealth, type Member } from "@capstan/kit/control-plane";
import { byText } from "@capstan/kube-values";
import { KubeadmCondition, KubeadmReason, MemberCondition } from "../api/control-plane-conditions.ts";
import { hasOwnEtcd, viewOfEtcd, type Context } from "../etcd/etcd-access.ts";
import { isHealthyMember } from "./members.ts";
import { memberConditions, readWorkload, type WorkloadFacts } from "./member-health.ts";

/** How often the cluster is looked at while something of it is not as it should be, and otherwise. */
const soonMs = 20_000;
const laterMs = 60_000;

const nodeOf = ({ machine }: Member): string => machine.status?.nodeRef?.name ?? "";

/** Nodes to ask etcd on, those first whose members worked. */
export const nodesOf = (members: readonly Member[], except?: Member): readonly string[] =>
  members
    .filter((member) => member !== except && hasNode(member))
    .toSorted(
      (left, right) =>
        Number(isLeaving(left)) - Number(isLeaving(right)) ||
        Number(isHealthyMember(right)) - Number(isHealthyMember(left)) ||
        byText(nameOfMember(left), nameOfMember(right)),
    )
    .map(nodeOf);

const etcdOf = async (context: Context): Promise<WorkloadFacts["etcd"]> => {
  if (!hasOwnEtcd(context.object)) return undefined;
  try {
    return await viewOfEtcd(context, nodesOf(context.members));
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { failed: error.message };
  }
};

const factsOf = async (context: Context): Promise<WorkloadFacts> => {
  const client = await context.workload();
  return { ...(await readWorkload(client, context.call)), etcd: await etcdOf(context) };
};

type Said = ReadonlyMap<string, readonly ConditionInput[]>;

/** One condition of the control plane out of those of its Machines. */
const summary = (type: string, said: Said, inputs: ReadonlySet<string>): ConditionInput => {
  const own = [...said].flatMap(([name, conditions]) =>
    conditions.filter((condition) => inputs.has(condition.type)).map((condition) => ({ name, ...condition })),
  );
  const bad = own.filter(({ status }) => status === "False");
  const unknown = own.filter(({ status }) => status === "Unknown");
  const worst = bad.length > 0 ? bad : unknown;
  if (own.length > 0 && worst.length === 0) return { type, status: "True", reason: KubeadmReason.healthy };
  const message = worst
    .map(({ name, ...one }) => `* Machine ${name}: ${one.type}: ${one.message ?? one.reason}`)
    .join("\n");
  return bad.length > 0
    ? { type, status: "False", reason: KubeadmReason.notHealthy, message }
    : { type, status: "Unknown", reason: KubeadmReason.healthUnknown, message };
};

const podTypes = new Set<string>([
  MemberCondition.apiServer,
  MemberCondition.controllerManager,
  MemberCondition.scheduler,
  MemberCondition.etcdPod,
]);
const etcdTypes = new Set<string>([MemberCondition.etcdMember]);

/** Looks at the cluster that runs: static Pods on every Machine, and what the members of etcd say of each other. */
export const observe = async (context: Context): Promise<ControlPlaneHealth> => {
  const isOwn = hasOwnEtcd(context.object);
  if (!context.initialized) {
    const waiting = { status: "Unknown", reason: KubeadmReason.inspectionFailed } as const;
    const message = "Waiting for the control plane to be initialized";
    context.condition({ type: KubeadmCondition.componentsHealthy, ...waiting, message });
    if (isOwn) context.condition({ type: KubeadmCondition.etcdHealthy, ...waiting, message });
    return {};
  }
  const facts = await factsOf(context);
  const said = new Map(
    context.members.map((member) => [nameOfMember(member), memberConditions(member, facts)] as const),
  );
  context.condition(summary(KubeadmCondition.componentsHealthy, said, podTypes));
  if (isOwn) context.condition(summary(KubeadmCondition.etcdHealthy, said, etcdTypes));
  const all = [...said.values()].flat();
  return {
    machines: Object.fromEntries(said),
    broken: [...said].flatMap(([name, conditions]) =>
      conditions.some(({ status, reason }) => status === "False" && reason !== KubeadmReason.deleting) ? [name] : [],
    ),
    requeueAfterMs: all.every(({ status }) => status === "True") ? laterMs : soonMs,
  };
};
