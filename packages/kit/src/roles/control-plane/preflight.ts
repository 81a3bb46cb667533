import { Annotation } from "@capstan/contract";
import { valueAt } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Member } from "./member.ts";
import { hasNode, isLeaving, nameOfMember } from "./member.ts";
import { goingFirst } from "./plan-turn.ts";
import { recordIn } from "./remediation-record.ts";
import type { Turn } from "./turn.ts";
import { authorContext } from "./turn.ts";

/** A topology wants another version, and has not said so to the control plane yet. */
export const pendingVersion = <O extends KubeObject>({ context, desired }: Turn<O>): string | undefined => {
  const wanted = valueAt(context.cluster, "spec.topology.version");
  if (typeof wanted !== "string" || wanted === desired.version) return undefined;
  const step = context.changes.object.metadata.annotations?.[Annotation.topologyUpgradeStep];
  return step === desired.version ? undefined : wanted;
};

const names = (members: readonly Member[]): string => members.map(nameOfMember).join(", ");

/** Machines that stay and have no Node. */
const withoutNode = (members: readonly Member[], leaving: Member | undefined): readonly string[] => {
  const waited = members.filter((member) => member !== leaving && !isLeaving(member) && !hasNode(member));
  return waited.length === 0 ? [] : [`waiting for Machine ${names(waited)} to have its Node`];
};

/** Why no further Machine is made, or no Machine deleted, now; empty when it may. The first Machine waits for nothing. */
export const preflight = async <O extends KubeObject>(
  turn: Turn<O>,
  action: "scaleUp" | "scaleDown",
  leaving: Member | undefined,
): Promise<readonly string[]> => {
  const { health, members } = turn.context.round;
  const version = pendingVersion(turn);
  if (version !== undefined) return [`waiting for a version upgrade to ${version} to be propagated`];
  const going = goingFirst(members, action);
  if (going.length > 0) return [`waiting for Machine ${names(going)} to complete deletion`];
  const { preflight: check } = turn.author;
  const replacing =
    action === "scaleUp" && recordIn(turn.context.changes.object, Annotation.remediationInProgress) !== undefined;
  const own =
    check === undefined ? withoutNode(members, leaving) : check({ ...authorContext(turn), action, leaving, replacing });
  return [...(health?.blockers ?? []), ...(await own)];
};
