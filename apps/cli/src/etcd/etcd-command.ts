import { Command, Option } from "commander";
import { outputOption } from "../flag-values.ts";
import { managementRequest, withManagementFlags, type ManagementFlags } from "../management-flags.ts";
import type { ManagementRequest } from "../management-session.ts";

/** A request of `capstan etcd` about the etcd of one Cluster. */
export type EtcdRequest = ManagementRequest & { readonly cluster: string } & (
    | { readonly action: "members"; readonly output: "text" | "json" }
    | { readonly action: "snapshot"; readonly file: string; readonly node: string | undefined }
    | { readonly action: "restore"; readonly file: string; readonly yes: boolean }
    | { readonly action: "defrag"; readonly node: string | undefined; readonly force: boolean }
  );

type Run = (request: EtcdRequest) => Promise<number>;

const about = (name: string, description: string): Command =>
  withManagementFlags(new Command(name).description(description).argument("<cluster>", "name of the Cluster"));

const nodeOption = (what: string): Option => new Option("--node <name>", what);

const membersCommand = (run: Run, done: (status: number) => void): Command =>
  about("members", "List the members: their Nodes and Machines, which leads, their databases, alarms, and the quorum.")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
The exit status is 1 when a member does not answer or has an alarm, or when etcd has no quorum.

Example:
  capstan etcd members orchid`,
    )
    .action(async (cluster: string, { output, ...flags }: ManagementFlags & { readonly output: "text" | "json" }) =>
      done(await run({ ...managementRequest(flags), action: "members", cluster, output })),
    );

const snapshotCommand = (run: Run, done: (status: number) => void): Command =>
  about("snapshot", "Save a snapshot of etcd to a file, as etcdutl and the distributions restore it.")
    .requiredOption("--to <file>", "file to write, readable by its owner alone")
    .addOption(nodeOption("take it from the member on this Node (default: one that does not lead)"))
    .addHelpText(
      "after",
      `
The file holds every object of the cluster, Secrets as the API servers store them. Its checksum is verified before the
file appears. A snapshot is refused while etcd has no quorum, and from a member with the alarm CORRUPT.

Example:
  capstan etcd snapshot orchid --to orchid.db`,
    )
    .action(async (cluster: string, { node, to, ...flags }: ManagementFlags & { node?: string; to: string }) =>
      done(await run({ ...managementRequest(flags), action: "snapshot", cluster, file: to, node })),
    );

const defragCommand = (run: Run, done: (status: number) => void): Command =>
  about("defrag", "Defragment the databases of the members, one after another, the leader last.")
    .addOption(nodeOption("only the member on this Node"))
    .option("--force", "although there is one member only, and the cluster stands still meanwhile")
    .addHelpText(
      "after",
      `
A member answers nothing while it is defragmented, so each is refused unless the others are a healthy majority, and
while a member is joining. Another member leads before the leader's turn comes.

For a member with the alarm NOSPACE, old revisions are discarded first and the alarm is disarmed afterwards. etcd accepts
writes again when no member has the alarm.

Example:
  capstan etcd defrag orchid`,
    )
    .action(async (cluster: string, { force, node, ...flags }: ManagementFlags & { force?: true; node?: string }) =>
      done(await run({ ...managementRequest(flags), action: "defrag", cluster, node, force: force === true })),
    );

const restoreCommand = (run: Run, done: (status: number) => void): Command =>
  about("restore", "Make the objects of a running cluster what they were in a snapshot, or show what that would write.")
    .requiredOption("--from <file>", "file that capstan etcd snapshot or etcdctl wrote")
    .option("--yes", "do it; without it, what would be written and deleted is listed")
    .addHelpText(
      "after",
      `
Written through etcd while the cluster runs, so that no member stops. Nodes, leases, events, certificate requests and
tokens of machines that join stay as they are. It is refused while a member is not healthy, and for a snapshot of
another cluster. An interrupted restore can be run again.

Examples:
  capstan etcd restore orchid --from orchid.db
  capstan etcd restore orchid --from orchid.db --yes`,
    )
    .action(async (cluster: string, { from, yes, ...flags }: ManagementFlags & { from: string; yes?: true }) =>
      done(await run({ ...managementRequest(flags), action: "restore", cluster, file: from, yes: yes === true })),
    );

/** `capstan etcd` with its commands. */
export const etcdCommand = (run: Run, done: (status: number) => void): Command => {
  const command = new Command("etcd").description(
    "Look at and look after the etcd of a workload cluster, through a port of its Pods.",
  );
  for (const part of [membersCommand, snapshotCommand, defragCommand, restoreCommand]) {
    command.addCommand(part(run, done));
  }
  return command;
};
