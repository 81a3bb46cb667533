/** The message of the Deleting condition of a Machine during a drain; other controllers look for these words. */
export const drainText = {
  terminating: "deletionTimestamp set, but still not removed from the Node",
  disruptionBudget: "cannot evict pod as it would violate the pod's disruption budget.",
  evictionFailed: "failed to evict Pod",
  completion: "waiting for completion",
} as const;

const causes = [
  { text: drainText.disruptionBudget, cause: "PodDisruptionBudgets" },
  { text: drainText.terminating, cause: "Pods not terminating" },
  { text: drainText.evictionFailed, cause: "Pod eviction errors" },
  { text: drainText.completion, cause: "Pods not completed yet" },
] as const;

/** Why a drain takes so long, out of the Deleting condition's message. */
export const delayCauses = (message: string): readonly string[] =>
  causes.filter(({ text }) => message.includes(text)).map(({ cause }) => cause);
