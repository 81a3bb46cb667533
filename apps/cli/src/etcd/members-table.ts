import { isUnfinished } from "@capstan/kit/control-plane";
import { textTable } from "../text-table.ts";
import type { EtcdReport, ReportedMember } from "./etcd-report.ts";

const mebibyte = 1_048_576;

const size = (bytes: bigint): string => `${(Number(bytes) / mebibyte).toFixed(1)} MiB`;

const roleOf = ({ isLeader, member }: ReportedMember): string =>
  isLeader ? "leader" : member.name === "" ? "not started" : member.learner ? "learner" : "member";

const stateOf = ({ member, server, status }: ReportedMember): string => {
  if ("failed" in status) return status.failed;
  const said = [
    ...member.alarms.map((alarm) => `alarm ${alarm}`),
    ...(status.leader === 0n ? ["no leader"] : []),
    ...(server?.isLeaving === true ? ["its Machine is being deleted"] : []),
  ];
  return said.length === 0 ? "healthy" : said.join(", ");
};

const cells = (reported: ReportedMember): readonly string[] => {
  const { member, server, status } = reported;
  const own = "failed" in status ? undefined : status;
  return [
    member.id.toString(16),
    server?.node ?? (member.name || "-"),
    server?.machine ?? "-",
    roleOf(reported),
    own?.version ?? "-",
    own === undefined ? "-" : size(own.size),
    own === undefined ? "-" : size(own.inUse),
    stateOf(reported),
  ];
};

/** The members as a table, and the quorum below. */
export const membersTable = ({ members, summary }: EtcdReport): readonly string[] => {
  const header = ["ID", "NODE", "MACHINE", "ROLE", "VERSION", "SIZE", "IN USE", "STATE"];
  return [...textTable(header, members.map(cells)), "", summary];
};

/** The same for programs. */
export const membersJson = ({ members, quorum }: EtcdReport): object => ({
  quorum,
  members: members.map((reported) => {
    const { member, server, status, isLeader } = reported;
    return {
      id: member.id.toString(16),
      name: member.name,
      ...(server !== undefined && { node: server.node }),
      ...(server?.machine !== undefined && { machine: server.machine }),
      leader: isLeader,
      voting: !isUnfinished(member),
      alarms: member.alarms,
      ...("failed" in status
        ? { failed: status.failed }
        : { version: status.version, bytes: Number(status.size), bytesInUse: Number(status.inUse) }),
    };
  }),
});
