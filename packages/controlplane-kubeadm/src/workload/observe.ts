import { isCapstanError } from "@capstan/contract";
import {
  type ControlPlaneHealth,
  describeQuorum,
  type EtcdView,
  type Member,
  nameOfMember,
  type SaidOnMachines,
  summarizeMembers,
} from "@capstan/kit/control-plane";
import { KubeadmCondition, KubeadmReason, MemberCondition } from "../api/control-plane-conditions.ts";
import { hasOwnEtcd, viewOfEtcd, type Context } from "../etcd/etcd-access.ts";
import { healthyIds, membersOfMachines } from "./etcd-members.ts";
import { recordCertificateExpiry } from "./certificate-expiry.ts";
import { nodesOf, servesApi } from "./members.ts";
import { removeStrays } from "./strays.ts";
import { memberConditions, readWorkload, type WorkloadFacts } from "./member-health.ts";

/**
 * Delays before the next look at the cluster, in milliseconds: after a repair, while something is unhealthy, and
 * otherwise.
 */
const atOnceMs = 1000;
const soonMs = 20_000;
const laterMs = 60_000;

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

const podTypes = new Set<string>([
  MemberCondition.apiServer,
  MemberCondition.controllerManager,
  MemberCondition.scheduler,
  MemberCondition.etcdPod,
]);
const etcdTypes = new Set<string>([MemberCondition.etcdMember]);

/** Machines on which etcd runs and its member works. */
const healthyMachines = (said: SaidOnMachines): ReadonlySet<string> =>
  new Set(
    [...said].flatMap(([name, conditions]) => {
      const own = conditions.filter(
        ({ type }) => type === MemberCondition.etcdMember || type === MemberCondition.etcdPod,
      );
      return own.length === 2 && own.every(({ status }) => status === "True") ? [name] : [];
    }),
  );

/** Records when certificates of API servers that are new expire. They may not answer yet; upkeep reports that if it lasts. */
const recordNewExpiries = async (context: Context, said: SaidOnMachines): Promise<void> => {
  const serves = (member: Member): boolean =>
    !servesApi(member) &&
    said
      .get(nameOfMember(member))
      ?.some(({ type, status }) => type === MemberCondition.apiServer && status === "True") === true;
  try {
    await recordCertificateExpiry(context, serves);
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    context.log.debug("cannot read when certificates expire yet", { error });
  }
};

const quorumText = (view: EtcdView, { members }: Context, healthy: ReadonlySet<string>): string =>
  describeQuorum(
    view,
    healthyIds(membersOfMachines(view, members), members, (member) => healthy.has(nameOfMember(member))),
  );

/** Looks at the cluster that runs: static Pods on every Machine, and what the members of etcd say of each other. Removes members of no Machine. */
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
  context.condition(summarizeMembers(KubeadmCondition.componentsHealthy, said, podTypes));
  await recordNewExpiries(context, said);
  const etcd = facts.etcd === undefined || "failed" in facts.etcd ? undefined : facts.etcd;
  const strays = etcd === undefined ? undefined : await removeStrays(context, etcd, healthyMachines(said));
  if (isOwn) {
    const well = etcd === undefined ? "" : quorumText(etcd, context, healthyMachines(said));
    context.condition(summarizeMembers(KubeadmCondition.etcdHealthy, said, etcdTypes, { wrong: strays?.said, well }));
  }
  const all = [...said.values()].flat();
  const isWell = all.every(({ status }) => status === "True") && (strays?.said ?? []).length === 0;
  return {
    machines: Object.fromEntries(said),
    broken: [...said].flatMap(([name, conditions]) =>
      conditions.some(({ status, reason }) => status === "False" && reason !== KubeadmReason.deleting) ? [name] : [],
    ),
    blockers: strays?.said ?? [],
    requeueAfterMs: strays?.removed === true ? atOnceMs : isWell ? laterMs : soonMs,
  };
};
