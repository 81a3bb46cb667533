import { Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { byText } from "../object/names.ts";
import type { Pod } from "./workload-kinds.ts";

export type PodDecision =
  /** Not the drain's business: it stays, or it is gone already for all that matters. */
  | { readonly action: "skip" }
  /** Being deleted: its Node is drained of it when the object is gone. */
  | { readonly action: "await-deletion" }
  | { readonly action: "await-completion" }
  | { readonly action: "evict"; readonly warning?: string };

const finished = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** An unreachable kubelet never confirms a deletion: after this the pod no longer counts. */
const unreachableGraceMs = 1000;

/** `namespace/name`, as in the messages of a drain. */
export const podName = ({ metadata }: Pod): string => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;

/** Key of the DaemonSet that controls a pod, if one does. */
export const daemonSetOf = (pod: Pod): string | undefined => {
  const owner = controllerOf(pod);
  return owner?.kind === "DaemonSet" ? `${pod.metadata.namespace ?? ""}/${owner.name}` : undefined;
};

const behaviourLabel = (pod: Pod): string => (pod.metadata.labels?.[Label.drain] ?? "").toLowerCase();

const warningFor = (pod: Pod, daemonSetMissing: boolean): string | undefined => {
  const warnings = [
    ...(daemonSetMissing ? ["evicting a Pod whose DaemonSet does not exist"] : []),
    ...(!finished(pod) && pod.spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true
      ? ["evicting a Pod that uses emptyDir volumes"]
      : []),
    ...(controllerOf(pod) === undefined ? ["evicting a Pod without a controller"] : []),
  ];
  return warnings.length === 0 ? undefined : warnings.join(", ");
};

/** What a drain does with one Pod of the Node. The first rule that applies wins. */
export const decidePod = (
  pod: Pod,
  input: {
    readonly nodeUnreachable: boolean;
    readonly now: number;
    /** `namespace/name` of the DaemonSets that exist. */
    readonly daemonSets: ReadonlySet<string>;
  },
): PodDecision => {
  const deletion = pod.metadata.deletionTimestamp;
  if (input.nodeUnreachable && deletion !== undefined && input.now - Date.parse(deletion) > unreachableGraceMs)
    return { action: "skip" };
  const daemonSet = daemonSetOf(pod);
  const daemonSetExists = daemonSet !== undefined && input.daemonSets.has(daemonSet);
  if (daemonSetExists && !finished(pod)) return { action: "skip" };
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return { action: "skip" };
  const behaviour = behaviourLabel(pod);
  if (behaviour === "skip") return { action: "skip" };
  if (deletion !== undefined) return { action: "await-deletion" };
  if (behaviour === "wait-completed") return { action: "await-completion" };
  const warning = warningFor(pod, daemonSet !== undefined && !daemonSetExists);
  return warning === undefined ? { action: "evict" } : { action: "evict", warning };
};

/** The outcome for one Pod that keeps the drain from being done. */
export interface Remaining {
  readonly pod: string;
  readonly why: string;
}

/**
 * Texts that other controllers, upstream's too, search for in the Deleting condition; they are an interface.
 */
export const drainText = {
  terminating: "deletionTimestamp set, but still not removed from the Node",
  disruptionBudget: "cannot evict pod as it would violate the pod's disruption budget.",
  evictionFailed: "failed to evict Pod",
  completion: "waiting for completion",
} as const;

const shownNames = 3;

const names = (pods: readonly string[]): string => {
  const shown = pods.slice(0, shownNames).join(", ");
  const more = pods.length - shownNames;
  return more > 0 ? `${shown}, ... (${more} more)` : shown;
};

/** What is left to do, grouped by reason, for the Machine's Deleting condition. */
export const drainMessage = (remaining: readonly Remaining[], startedAt: string): string => {
  const groups = Object.groupBy(remaining, ({ why }) => why);
  const lines = Object.entries(groups).map(([why, entries = []]) => {
    const pods = entries.map(({ pod }) => pod).sort(byText);
    return `* ${pods.length === 1 ? "Pod" : "Pods"} ${names(pods)}: ${why}`;
  });
  return [`Drain not completed yet (started at ${startedAt}):`, ...lines].join("\n");
};
