import {
  hasNode,
  isLeaving,
  isUnhealthy,
  type Member,
  quorumObstacle,
  waitForMembers,
} from "@capstan/kit/control-plane";
import { secrets } from "../config/cluster-secrets.ts";
import { hasOwnEtcd, viewOfEtcd, type Context } from "../etcd/etcd-access.ts";
import { healthyIds, membersOfMachines } from "../workload/etcd-members.ts";
import { isHealthyMember, missingHealth, nodesOf, servesWithout } from "../workload/members.ts";

type Step = Context & {
  readonly action: "scaleUp" | "scaleDown";
  readonly leaving: Member | undefined;
  readonly replacing: boolean;
};

/**
 * Returns why a Machine in the place of a remediated one must wait for the others: while one of them joins, no API server works, or etcd
 * is no safe majority with a further member. Unhealthy Machines need not be waited for: they wait for this one.
 */
const obstaclesToReplacing = async (step: Step, waiting: readonly string[]): Promise<readonly string[]> => {
  const { members, object } = step;
  const isOwn = hasOwnEtcd(object);
  const joins = members.some((member) => !hasNode(member) && !isLeaving(member) && !isUnhealthy(member));
  if (joins || !servesWithout(members, undefined, isOwn)) return waiting;
  if (!isOwn) return [];
  const view = await viewOfEtcd(step, nodesOf(members));
  const healthy = healthyIds(membersOfMachines(view, members), members, isHealthyMember);
  const obstacle = quorumObstacle(view.members, { leaving: undefined, healthy, joining: 1 });
  return obstacle === undefined ? [] : [...waiting, obstacle];
};

/** Called before each step: returns what it waits for, of the Machines that stay and of what a new one could not join without. */
export const preflight = async (step: Step): Promise<readonly string[]> => {
  const missing = step.initialized && step.action === "scaleUp" ? await secrets.missingCertificates(step) : [];
  const waiting = waitForMembers(step, (member) => missingHealth(member, hasOwnEtcd(step.object)));
  const isEased = step.replacing && waiting.length > 0;
  return [...missing, ...(isEased ? await obstaclesToReplacing(step, waiting) : waiting)];
};
