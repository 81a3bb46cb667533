import { Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { byText, keyOf, keyText } from "@capstan/kube-values";
import { own } from "@capstan/schema";
import type { MachineDrainRule } from "../api.ts";
import type { DrainBehaviour } from "./drain-rules.ts";
import { behaviourByRule } from "./drain-rules.ts";
import type { Pod } from "../object/workload-kinds.ts";

export type PodDecision =
  /** Not the drain's business: it stays, or it is gone already for all that matters. */
  | { readonly action: "skip" }
  /** It was to complete, and has. */
  | { readonly action: "completed" }
  /** Being deleted: its Node is drained of it when the object is gone. */
  | { readonly action: "await-deletion"; readonly order: number }
  | { readonly action: "await-completion"; readonly order: number }
  | { readonly action: "evict"; readonly order: number; readonly warning?: string };

const finished = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** An unreachable kubelet never confirms a deletion: after this the pod no longer counts. */
const unreachableGraceMs = 1000;

/** `namespace/name`, as in the messages of a drain. */
export const podName = (pod: Pod): string => keyText(keyOf(pod));

/** Key of the DaemonSet that controls a pod, if one does. */
export const daemonSetOf = (pod: Pod): string | undefined => {
  const owner = controllerOf(pod);
  return owner?.kind === "DaemonSet" ? keyText({ ...keyOf(pod), name: owner.name }) : undefined;
};

const byLabel: Readonly<Record<string, DrainBehaviour>> = {
  skip: { behaviour: "Skip", order: 0 },
  "wait-completed": { behaviour: "WaitCompleted", order: 0 },
};

/** Without a word about it, a Pod is evicted. */
const byDefault: DrainBehaviour = { behaviour: "Drain", order: 0 };

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

/** Decides what a drain does with one Pod of the Node. The first rule that applies wins. */
export const decidePod = (
  pod: Pod,
  input: {
    readonly nodeUnreachable: boolean;
    readonly now: number;
    /** `namespace/name` of the DaemonSets that exist. */
    readonly daemonSets: ReadonlySet<string>;
    /** Those about the Machine, as `rulesForMachine` orders them. */
    readonly rules: readonly MachineDrainRule[];
    /** Labels by Namespace, where rules ask for them. */
    readonly namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  },
): PodDecision => {
  const deletion = pod.metadata.deletionTimestamp;
  if (input.nodeUnreachable && deletion !== undefined && input.now - Date.parse(deletion) > unreachableGraceMs) {
    return { action: "skip" };
  }
  const daemonSet = daemonSetOf(pod);
  const daemonSetExists = daemonSet !== undefined && input.daemonSets.has(daemonSet);
  if (daemonSetExists && !finished(pod)) return { action: "skip" };
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) return { action: "skip" };
  const { behaviour, order } =
    own(byLabel, (pod.metadata.labels?.[Label.drain] ?? "").toLowerCase()) ??
    behaviourByRule(input.rules, pod, input.namespaceLabels) ??
    byDefault;
  if (behaviour === "Skip") return { action: "skip" };
  if (behaviour === "WaitCompleted" && finished(pod)) return { action: "completed" };
  if (deletion !== undefined) return { action: "await-deletion", order };
  if (behaviour === "WaitCompleted") return { action: "await-completion", order };
  const warning = warningFor(pod, daemonSet !== undefined && !daemonSetExists);
  return warning === undefined ? { action: "evict", order } : { action: "evict", order, warning };
};

/** The lowest order that still has Pods: those of higher ones wait until they are gone. */
export const currentOrder = (decisions: readonly PodDecision[]): number =>
  Math.min(...decisions.flatMap((decision) => ("order" in decision ? [decision.order] : [])));

/** The outcome for one Pod that keeps the drain from being done. */
export interface Remaining {
  readonly pod: string;
  readonly why: string;
  /** Its turn comes after the Pods of lower orders. */
  readonly later?: "evict" | "await-completion";
}

const shownNames = 3;

const names = (pods: readonly string[]): string => {
  const shown = pods.slice(0, shownNames).join(", ");
  const more = pods.length - shownNames;
  return more > 0 ? `${shown}, ... (${more} more)` : shown;
};

const podsOf = (entries: readonly Remaining[]): readonly string[] => entries.map(({ pod }) => pod).sort(byText);

const laterTexts = [
  { later: "evict", text: "the following Pods will be evicted" },
  { later: "await-completion", text: "the following Pods will be waited for until they complete" },
] as const;

/** Formats what is left to do, grouped by reason, for the Machine's Deleting condition. */
export const drainMessage = (remaining: readonly Remaining[], startedAt: string): string => {
  const groups = Object.groupBy(
    remaining.filter(({ later }) => later === undefined),
    ({ why }) => why,
  );
  const lines = Object.entries(groups).map(([why, entries = []]) => {
    const pods = podsOf(entries);
    return `* ${pods.length === 1 ? "Pod" : "Pods"} ${names(pods)}: ${why}`;
  });
  const after = laterTexts.flatMap(({ later, text }) => {
    const pods = podsOf(remaining.filter((entry) => entry.later === later));
    return pods.length === 0 ? [] : [`After above Pods have been removed from the Node, ${text}: ${names(pods)}`];
  });
  return [`Drain not completed yet (started at ${startedAt}):`, ...lines, ...after].join("\n");
};
