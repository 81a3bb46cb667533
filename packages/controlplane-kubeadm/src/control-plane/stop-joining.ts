import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { Label, rfc3339 } from "@capstan/contract";
import {
  conditionOf,
  ConditionType,
  machine as machineFields,
  NodeResource,
  SecretResource,
} from "@capstan/contract/wire";
import { nameOfMember, type Member, type OfMember } from "@capstan/kit/control-plane";
import type { Waiting } from "@capstan/kit/engine";
import { findCondition, Machines } from "@capstan/kit/machines";
import { isBeingDeleted, keyOf, selectorText } from "@capstan/kube-values";
import { KubeadmReason } from "../api/control-plane-conditions.ts";
import { joinRevokedAnnotation, joinTokenKeptAnnotation } from "../api/names.ts";
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

/** Returns the facts about the server, read live where the cache may be behind. */
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
    isTokenKept: annotations?.[joinTokenKeptAnnotation] !== undefined,
    now: clock.now(),
  };
};

const tokenIn = ({ spec }: KubeadmConfig): string | undefined =>
  spec?.joinConfiguration?.discovery?.bootstrapToken?.token;

/** Credentials that a server joins with. */
interface Credentials {
  /** `undefined`: a discovery file. */
  readonly token: string | undefined;
  /** KubeadmConfigs of others that may still join with the same token: users could give one to all of them. */
  readonly alsoFor: readonly string[];
}

const credentialsOf = async (context: AtMember): Promise<Credentials> => {
  const { call, client, cluster, member } = context;
  const config = await findConfig(context);
  const token = config === undefined ? undefined : tokenIn(config);
  if (config === undefined || token === undefined) return { token, alsoFor: [] };
  const scope = { namespace: configKeyOf(member).namespace, ...call };
  const labelSelector = selectorText({ matchLabels: { [Label.clusterName]: cluster.metadata.name ?? "" } });
  const [configs, machines] = await Promise.all([
    client.list(KubeadmConfig, { ...scope, labelSelector }),
    client.list(Machines, { ...scope, labelSelector }),
  ]);
  const doNotJoin = new Set(
    machines.items
      .filter((machine) => isBeingDeleted(machine) || machine.status?.nodeRef !== undefined)
      .map(({ spec }) => spec.bootstrap.configRef?.name),
  );
  const alsoFor = configs.items
    .filter((other) => other.metadata.name !== config.metadata.name && tokenIn(other) === token)
    .map(({ metadata: { name = "" } }) => name)
    .filter((name) => !doNotJoin.has(name));
  return { token, alsoFor };
};

/** The token of a server that no one else needs. */
const ownToken = ({ alsoFor, token }: Credentials): string | undefined => (alsoFor.length === 0 ? token : undefined);

/** Keeps a server that has not begun to join from ever doing so, as far as no one else needs its token, and records when. */
const revoke = async (context: AtMember, credentials: Credentials): Promise<void> => {
  const { call, client, clock, member } = context;
  const token = ownToken(credentials);
  if (token !== undefined) await (await context.workload()).delete(SecretResource, tokenSecretKey(token), call);
  const annotations = {
    [joinRevokedAnnotation]: rfc3339(clock.now()),
    [joinTokenKeptAnnotation]: credentials.alsoFor.length > 0 ? "" : null,
  };
  const body = { metadata: { annotations } };
  await client.patch(Machines, keyOf(member.machine), { type: "merge", body }, call);
};

const fateOf = (credentials: Credentials): string => {
  if (ownToken(credentials) !== undefined) return "its bootstrap token is revoked";
  return credentials.token === undefined
    ? "its discovery file is for all servers, so it is not revoked"
    : `others join with the same bootstrap token (KubeadmConfigs: ${credentials.alsoFor.join(", ")}), so it is not revoked`;
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
    return { reason, message: `${machine} is being prevented from joining the cluster` };
  }
  if (verdict.kind === "waits") {
    return {
      reason,
      message: `${machine} may be joining etcd, and stopping it could cost etcd its quorum; waiting until it has joined, or until ${rfc3339(verdict.until)}`,
    };
  }
  const credentials = await credentialsOf(context);
  const isDue = verdict.kind === "revoke" || (facts.isTokenKept && ownToken(credentials) !== undefined);
  if (isDue) await revoke(context, credentials);
  const rest = verdict.kind === "revoke" ? "" : `; waiting until ${rfc3339(verdict.until)} in case it has started`;
  return { reason, message: `${machine} took too long to join; ${fateOf(credentials)}${rest}` };
};
