import { isCapstanError } from "@capstan/contract";
import {
  describeQuorum,
  type EtcdMember,
  type EtcdQuorum,
  type EtcdStatus,
  type EtcdView,
  quorumOf,
  withMember,
} from "@capstan/kit/control-plane";
import { noEtcd } from "./failures.ts";
import type { EtcdServer, OpenEtcd } from "./open-etcd.ts";

/** One member with its server and its answer. */
export interface ReportedMember {
  readonly member: EtcdMember;
  /** `undefined`: no server of the cluster has it. */
  readonly server: EtcdServer | undefined;
  /** Its answer, or why there is none. */
  readonly status: EtcdStatus | { readonly failed: string };
  readonly isLeader: boolean;
}

/** All members of one etcd at one moment. */
export interface EtcdReport {
  readonly members: readonly ReportedMember[];
  readonly quorum: EtcdQuorum;
  /** The quorum and the leader in one line. */
  readonly summary: string;
}

type Answer = { readonly server: EtcdServer } & (
  | { readonly status: EtcdStatus; readonly view: EtcdView | undefined; readonly failed: string | undefined }
  | { readonly status: undefined; readonly failed: string }
);

const ask = async ({ way }: OpenEtcd, server: EtcdServer): Promise<Answer> => {
  try {
    return await withMember(way, server.node, async (client) => {
      const status = await client.status();
      try {
        return { server, status, view: await client.view(), failed: undefined };
      } catch (error) {
        if (!isCapstanError(error)) throw error;
        return { server, status, view: undefined, failed: error.message };
      }
    });
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { server, status: undefined, failed: error.message };
  }
};

const notThere = "no server of the cluster has it";

/** Asks every member. Throws `etcd.not_reachable` when no member can say who the others are. */
export const reportEtcd = async (etcd: OpenEtcd): Promise<EtcdReport> => {
  const answers = await Promise.all(etcd.servers.map((server) => ask(etcd, server)));
  const view = answers.flatMap((answer) => (answer.status === undefined ? [] : (answer.view ?? [])))[0];
  if (view === undefined) {
    const why = answers.map(({ failed, server }) => `* ${server.node}: ${failed ?? ""}`);
    throw noEtcd(
      answers.length === 0
        ? `Cluster ${etcd.cluster} has no server`
        : `no member of the etcd of Cluster ${etcd.cluster} can list the others, as without a quorum:\n${why.join("\n")}`,
    );
  }
  const members = view.members.map((member): ReportedMember => {
    const answer = answers.find(({ server, status }) =>
      status === undefined ? server.memberName === member.name : status.id === member.id,
    );
    return {
      member,
      server: answer?.server,
      status: answer?.status ?? { failed: answer?.failed ?? notThere },
      isLeader: member.id === view.leader,
    };
  });
  const healthy = new Set(members.filter(isHealthy).map(({ member }) => member.id));
  const named = members.map((each) => ({ ...each.member, name: each.member.name === "" ? "" : nameOf(each) }));
  return {
    members,
    quorum: quorumOf(view.members, healthy),
    summary: describeQuorum({ ...view, members: named }, healthy),
  };
};

/** True for a member that answers, knows a leader and has no alarm. */
export const isHealthy = ({ member, status }: ReportedMember): boolean =>
  !("failed" in status) && status.leader !== 0n && member.alarms.length === 0;

/** True for a member that the others can rely on while one stands still: it answers, knows a leader and has sound data. */
export const isServing = ({ member, status }: ReportedMember): boolean =>
  !("failed" in status) && status.leader !== 0n && !member.alarms.includes("CORRUPT");

/** True for a member whose database is full. */
export const isFull = ({ member }: ReportedMember): boolean => member.alarms.includes("NOSPACE");

/** The member in messages: by its Node, else by its name or id. */
export const nameOf = ({ member, server }: ReportedMember): string =>
  server?.node ?? (member.name === "" ? member.id.toString(16) : member.name);
