import type { Clock } from "@capstan/contract";
import { withMember } from "@capstan/kit/control-plane";
import { systemClock } from "@capstan/runtime";
import { withManagement } from "../management-session.ts";
import { writeFileAtomically } from "../write-file.ts";
import { defragObstacle, defragOrder, heirOf } from "./defrag-plan.ts";
import type { EtcdRequest } from "./etcd-command.ts";
import { type EtcdReport, isFull, isHealthy, nameOf, type ReportedMember, reportEtcd } from "./etcd-report.ts";
import { refused } from "./failures.ts";
import { membersJson, membersTable } from "./members-table.ts";
import { restoreSnapshot } from "./restore.ts";
import { type EtcdSession, type OpenEtcd, withEtcd } from "./open-etcd.ts";

/** Output and time of the command. */
interface Surroundings {
  readonly write: (text: string) => void;
  readonly clock: Clock;
}

type Write = Surroundings["write"];
type Asked<Action extends EtcdRequest["action"]> = Extract<EtcdRequest, { readonly action: Action }>;

const isWell = ({ members, quorum }: EtcdReport): boolean =>
  quorum.healthy >= quorum.needed && members.every((each) => isHealthy(each));

const showMembers = async (etcd: OpenEtcd, { output }: Asked<"members">, write: Write): Promise<number> => {
  const report = await reportEtcd(etcd);
  const text = output === "json" ? JSON.stringify(membersJson(report)) : membersTable(report).join("\n");
  write(`${text}\n`);
  return isWell(report) ? 0 : 1;
};

/** The member on a Node that was named. */
const memberOn = ({ members }: EtcdReport, node: string): ReportedMember => {
  const found = members.find(({ server }) => server?.node === node);
  if (found !== undefined) return found;
  const nodes = members.flatMap(({ server }) => server?.node ?? []);
  throw refused(`no member of etcd is on Node ${node}; there are members on ${nodes.join(", ")}`);
};

const takeSnapshot = async (etcd: OpenEtcd, { file, node }: Asked<"snapshot">, write: Write): Promise<number> => {
  const report = await reportEtcd(etcd);
  const { quorum, summary } = report;
  if (quorum.healthy < quorum.needed) throw refused(`no snapshot is taken of an etcd without a quorum: ${summary}`);
  const sound = defragOrder(report).filter((each) => isHealthy(each) && !each.member.learner);
  const source = node === undefined ? sound[0] : memberOn(report, node);
  if (source === undefined || !sound.includes(source)) {
    throw refused(`no snapshot is taken from ${node}: the member is not healthy, as capstan etcd members says`);
  }
  const name = source.server?.node ?? "";
  const pieces: Buffer[] = [];
  await withMember(etcd.way, name, async (client) => {
    for await (const piece of client.snapshot()) pieces.push(piece);
  });
  const content = Buffer.concat(pieces);
  writeFileAtomically(file, content, "to");
  write(`saved ${file}, ${content.length} bytes from the member on ${name}\n`);
  return 0;
};

const defragOne = async (etcd: OpenEtcd, reported: ReportedMember, heir: ReportedMember | undefined): Promise<void> => {
  const node = reported.server?.node ?? "";
  await withMember(etcd.way, node, async (client) => {
    if (reported.isLeader && heir !== undefined) await client.moveLeader(heir.member.id);
    // Old revisions fill the database, and API servers can no longer compact it.
    if (isFull(reported)) await client.compact();
    await client.defragment();
    if (isFull(reported)) await client.endNoSpace(reported.member.id);
  });
};

const bytesOf = ({ status }: ReportedMember): string => ("failed" in status ? "-" : String(status.size));

const defragment = async (etcd: OpenEtcd, { force, node }: Asked<"defrag">, write: Write): Promise<number> => {
  const first = await reportEtcd(etcd);
  const chosen = node === undefined ? defragOrder(first) : [memberOn(first, node)];
  for (const { member } of chosen) {
    // Much may have changed since the one before.
    const report = await reportEtcd(etcd);
    const reported = report.members.find((each) => each.member.id === member.id);
    if (reported === undefined) continue;
    const obstacle = defragObstacle(report, reported, { force });
    if (obstacle !== undefined) throw refused(`${nameOf(reported)} is not defragmented: ${obstacle}`);
    await defragOne(etcd, reported, heirOf(report));
    const after = (await reportEtcd(etcd)).members.find((each) => each.member.id === member.id);
    const size = after === undefined ? "-" : bytesOf(after);
    const ended = isFull(reported) ? ", alarm NOSPACE ended" : "";
    write(`${nameOf(reported)} defragmented: ${bytesOf(reported)} bytes before, ${size} after${ended}\n`);
  }
  return 0;
};

/** Does what was asked about the etcd of a Cluster; resolves to the exit status. */
export const performEtcd = (
  request: EtcdRequest,
  session: EtcdSession,
  { clock, write }: Surroundings,
): Promise<number> =>
  withEtcd({ ...session, clock }, request.cluster, (etcd) => {
    if (request.action === "members") return showMembers(etcd, request, write);
    if (request.action === "restore") return restoreSnapshot(etcd, request, write);
    return request.action === "snapshot" ? takeSnapshot(etcd, request, write) : defragment(etcd, request, write);
  });

/** `capstan etcd`: resolves to the exit status. */
export const runEtcd = (request: EtcdRequest, write: Write): Promise<number> =>
  withManagement(request, (session) => performEtcd(request, session, { write, clock: systemClock }));
