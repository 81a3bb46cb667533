import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { rfc3339 } from "@capstan/contract";
import {
  conditionOf,
  ConditionType,
  machine as machineFields,
  NodeResource,
  SecretResource,
} from "@capstan/contract/wire";
import { nameOfMember, type Member, type OfMember } from "@capstan/kit/control-plane";
import type { Waiting } from "@capstan/kit/engine";
import { Machines } from "@capstan/kit/machines";
import { findCondition } from "@capstan/kit/objects";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import { KubeadmReason } from "../api/control-plane-conditions.ts";
import { joinRevokedAnnotation } from "../api/names.ts";
import type { Context } from "../etcd/etcd-access.ts";
import { nodeOf } from "../workload/members.ts";
import { tokenSecretKey } from "../workload/workload-account.ts";
import { judgeJoining, type JoinFacts } from "./joining.ts";

type AtMember = Context & OfMember;

const nodeStateOf = async (context: AtMember): Promise<JoinFacts["node"]> => {
  const node = nodeOf(context.member);
  if (node === "") return "none";
  const fieldSelector = `metadata.name=${node}`;
  const { items } = await (await context.workload()).list(NodeResource, { fieldSelector, ...context.call });
  const isMarked = items.every(
    ({ metadata }) => metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined,
  );
  return isMarked ? "joined" : "joining";
};

const timeOf = (text: string | undefined): number => Date.parse(text ?? "") || 0;

/** When a condition of the Machine became True, in milliseconds since the epoch; 0 while it is not. */
const trueSince = ({ machine }: Member, type: string): number => {
  const condition = findCondition(machine, type);
  return condition?.status === "True" ? timeOf(condition.lastTransitionTime) : 0;
};

const hasFailed = ({ infrastructure }: Member): boolean => {
  if (infrastructure === undefined) return false;
  const { bootstrapSucceeded: type } = ConditionType;
  const condition = conditionOf(infrastructure, type) ?? conditionOf(infrastructure, type, "v1beta1");
  return condition?.status === "False" && condition.reason === "Failed";
};

const configKeyOf = ({ machine }: Member) => ({
  namespace: machine.metadata.namespace ?? "",
  name: machine.spec.bootstrap.configRef?.name ?? "",
});

const findConfig = ({ call, client, member }: AtMember): Promise<KubeadmConfig | undefined> =>
  client.find(KubeadmConfig, configKeyOf(member), call);

/** What is known of the server, asked live where the cache may be behind. */
export const joinFacts = async (context: AtMember): Promise<JoinFacts> => {
  const { call, client, clock, member } = context;
  const machine = (await client.find(Machines, keyOf(member.machine), call)) ?? member.machine;
  const { annotations, creationTimestamp, deletionTimestamp } = machine.metadata;
  const config = await findConfig(context);
  const made = config?.status?.dataSecretName ?? machineFields.dataSecretName.get(machine);
  const revoked = timeOf(annotations?.[joinRevokedAnnotation]);
  return {
    node: await nodeStateOf(context),
    hasData: made !== undefined,
    hasConfig: config !== undefined && !isBeingDeleted(config),
    hasInfrastructure: member.infrastructure !== undefined,
    hasFailed: hasFailed(member),
    since: Math.max(
      timeOf(creationTimestamp),
      trueSince(member, "BootstrapConfigReady"),
      trueSince(member, "InfrastructureReady"),
    ),
    deletedAt: deletionTimestamp === undefined ? clock.now() : timeOf(deletionTimestamp),
    revokedAt: revoked === 0 ? undefined : revoked,
    now: clock.now(),
  };
};

/** The token that the server alone joins with; `undefined` for one that the user gave to all of them. */
const ownToken = async (context: AtMember): Promise<string | undefined> => {
  const shared = context.object.spec.kubeadmConfigSpec?.joinConfiguration?.discovery?.bootstrapToken?.token;
  const token = (await findConfig(context))?.spec?.joinConfiguration?.discovery?.bootstrapToken?.token;
  return token === shared ? undefined : token;
};

/** Keeps a server that has not begun to join from ever doing so, and records when. */
const revoke = async (context: AtMember): Promise<void> => {
  const { call, client, clock, member } = context;
  const token = await ownToken(context);
  if (token !== undefined) await (await context.workload()).delete(SecretResource, tokenSecretKey(token), call);
  const body = { metadata: { annotations: { [joinRevokedAnnotation]: rfc3339(clock.now()) } } };
  await client.patch(Machines, keyOf(member.machine), { type: "merge", body }, call);
};

/**
 * Sees to it that a Machine without a member of etcd does not get one while it goes: one that has no bootstrap data yet never gets it, any
 * other is waited for, and loses its bootstrap token when it takes too long.
 */
export const stopJoining = async (context: AtMember, facts: JoinFacts): Promise<Waiting | undefined> => {
  const { call, client, member } = context;
  const verdict = judgeJoining(facts);
  if (verdict.kind === "over") return undefined;
  const machine = `Machine ${nameOfMember(member)}`;
  const reason = KubeadmReason.waitingForJoin;
  if (verdict.kind === "stop") {
    await client.delete(KubeadmConfig, configKeyOf(member), call);
    return { reason, message: `${machine} is being kept from joining the cluster` };
  }
  if (verdict.kind === "revoke") {
    await revoke(context);
    return { reason, message: `${machine} took too long to join; its bootstrap token is revoked` };
  }
  const until = rfc3339(verdict.until);
  const message =
    verdict.kind === "finishes"
      ? `${machine} took too long to join, and its bootstrap token is revoked; waiting until ${until} in case it had begun`
      : `${machine} may be joining etcd, which would lose its majority if the server went off halfway; waiting until it has joined, or until ${until}`;
  return { reason, message };
};
