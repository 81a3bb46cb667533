import type { ConditionInput } from "@capstan/contract/wire";
import { describeAlarms, isLeaving, type Member } from "@capstan/kit/control-plane";
import { type Etcd, memberOf } from "../workload/etcd.ts";
import type { Server, Servers } from "../workload/servers.ts";
import { MemberCondition, Reason } from "../api/conditions.ts";

type Said = Omit<ConditionInput, "type">;

const healthy: Said = { status: "True", reason: Reason.healthy };
const no = (message: string): Said => ({ status: "False", reason: Reason.notHealthy, message });
const unknown = (message: string): Said => ({ status: "Unknown", reason: Reason.inspectionFailed, message });

const agentHealth = ({ ready }: Server): Said => {
  if (ready?.status === "True") return healthy;
  const message = ready?.message ?? "the Node has no Ready condition";
  return ready === undefined || ready.status === "Unknown" ? unknown(message) : no(message);
};

/** The word of etcd itself about a member; `undefined` when it has no objection. */
const objectionOf = (server: Server, etcd: Etcd): Said | undefined => {
  if (etcd === undefined) return undefined;
  if ("failed" in etcd) return unknown(etcd.failed);
  const member = memberOf(etcd, server);
  if (member === undefined) return no(`etcd has no member ${server.member?.name ?? ""}`);
  if (member.learner) return no("Waiting for the learner to be promoted");
  const silence = etcd.silent.get(server.node.metadata.name ?? "");
  if (silence !== undefined) return unknown(`its etcd member does not work: ${silence}`);
  return member.alarms.length === 0 ? undefined : no(describeAlarms(member.alarms));
};

const etcdHealth = (server: Server, etcd: Etcd): Said => {
  const { member, node } = server;
  const prefix = `Node ${node.metadata.name}`;
  if (member === undefined) return unknown(`${prefix} does not report an etcd member`);
  if (member.removed) return no(`the etcd member of ${prefix} was removed`);
  if (!member.votes) return no("Waiting for the learner to be promoted");
  const objection = objectionOf(server, etcd);
  if (objection !== undefined) return objection;
  const agent = agentHealth(server);
  return agent.status === "Unknown" ? unknown(`${prefix} is unreachable, so its etcd member may be too`) : healthy;
};

/** The conditions of one Machine. */
export const memberConditions = (
  member: Member,
  servers: Servers,
  { etcd, ownEtcd }: { readonly etcd: Etcd; readonly ownEtcd: boolean },
): readonly ConditionInput[] => {
  const all = (said: Said): readonly ConditionInput[] =>
    [MemberCondition.agent, ...(ownEtcd ? [MemberCondition.etcd] : [])].map((type) => ({ type, ...said }));
  if (isLeaving(member)) return all({ status: "False", reason: Reason.deleting, message: "Machine is deleting" });
  const name = member.machine.status?.nodeRef?.name;
  if (name === undefined) return all(unknown("Waiting for the Machine to have its Node"));
  const server = servers.get(name);
  if (server === undefined) return all(unknown(`Node ${name} does not exist or is not a server`));
  return [
    { type: MemberCondition.agent, ...agentHealth(server) },
    ...(ownEtcd ? [{ type: MemberCondition.etcd, ...etcdHealth(server, etcd) }] : []),
  ];
};
