import { readFileSync } from "node:fs";
import { isCapstanError } from "@capstan/contract";
import { type EtcdClient, type EtcdKeyValue, isUnfinished, readSnapshot, withMember } from "@capstan/kit/control-plane";
import { whyUnreadable } from "../file-words.ts";
import { type EtcdReport, isHealthy, reportEtcd } from "./etcd-report.ts";
import { refused } from "./failures.ts";
import type { OpenEtcd } from "./open-etcd.ts";
import { clusterUid, planRestore, type RestorePlan } from "./restore-plan.ts";

const readFile = (path: string): ReadonlyMap<string, EtcdKeyValue> => {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw refused(`--from ${path}: ${whyUnreadable(error)}`);
  }
  try {
    return readSnapshot(content);
  } catch (error) {
    throw isCapstanError(error) ? refused(`--from ${path}: ${error.message}`) : error;
  }
};

const checkMembers = ({ members, summary }: EtcdReport): void => {
  const bad = members.filter((each) => !isHealthy(each) || isUnfinished(each.member));
  if (bad.length > 0) throw refused(`nothing is restored while a member of etcd is not healthy: ${summary}`);
};

const checkCluster = (
  snapshot: ReadonlyMap<string, EtcdKeyValue>,
  present: ReadonlyMap<string, EtcdKeyValue>,
): void => {
  const [before, now] = [clusterUid(snapshot), clusterUid(present)];
  if (before === undefined || before !== now) {
    throw refused(
      `the snapshot is of another cluster: its namespace kube-system has the uid ${before ?? "-"}, here it is ${now ?? "-"}`,
    );
  }
};

const describePlan = ({ put, remove, same }: RestorePlan): string =>
  `${put.length} to write, ${remove.length} to delete, ${same} as they were`;

const write = async (client: EtcdClient, { put, remove }: RestorePlan): Promise<void> => {
  for (const { key, value } of put) await client.put(key, value);
  for (const { key } of remove) await client.delete(key);
};

/** Makes the objects of a cluster what they were in a snapshot, or says what that would write. Throws `etcd.refused`. */
export const restoreSnapshot = async (
  etcd: OpenEtcd,
  { file, yes }: { readonly file: string; readonly yes: boolean },
  print: (text: string) => void,
): Promise<number> => {
  const snapshot = readFile(file);
  const report = await reportEtcd(etcd);
  checkMembers(report);
  const node = report.members.find(({ isLeader }) => isLeader)?.server?.node ?? "";
  return withMember(etcd.way, node, async (client) => {
    const present = new Map<string, EtcdKeyValue>();
    for await (const each of client.keys("/registry/")) present.set(each.key, each);
    checkCluster(snapshot, present);
    const plan = planRestore(snapshot, present);
    print(`${describePlan(plan)}\n`);
    if (!yes) {
      for (const { key } of plan.put) print(`write  ${key}\n`);
      for (const { key } of plan.remove) print(`delete ${key}\n`);
      print("nothing was changed; --yes does it\n");
      return 0;
    }
    await write(client, plan);
    print(`restored ${file}\n`);
    return 0;
  });
};
