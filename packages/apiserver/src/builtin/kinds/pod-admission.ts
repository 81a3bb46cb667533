import type { KubeObject } from "@capstan/schema";
import { forbidden as forbiddenStatus } from "../../model/status-error.ts";
import type { HookContext } from "../../model/types.ts";
import { isMirrorPod } from "./mirror-pod.ts";
import { listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";

const names = { group: "", plural: "pods", kind: "Pod" };
const priorityClasses = { group: "scheduling.k8s.io", plural: "priorityclasses" };

/** Time for which a Pod stays on a node that is not ready or unreachable. */
const unreachableSeconds = 300;
const unreachableTaints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

const isTolerated = (tolerations: readonly unknown[], key: string): boolean =>
  tolerations.map(partOf).some((toleration) => {
    const [asked, effect] = [textOf(toleration["key"]), textOf(toleration["effect"])];
    return (asked === key || asked === "") && (effect === "NoExecute" || effect === "");
  });

/** Adds tolerations that limit how long the Pod stays on a lost node, unless it has its own. */
export const withTolerations = (spec: Part): Part => {
  const given = listOf(spec["tolerations"]);
  const added = unreachableTaints
    .filter((key) => !isTolerated(given, key))
    .map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: unreachableSeconds }));
  return { ...spec, tolerations: [...given, ...added] };
};

const refused = (pod: KubeObject, why: string): Error => forbiddenStatus(names, pod.metadata.name ?? "", why);

/** The class that a Pod names, else the one for Pods that name none. */
const classOf = (pod: KubeObject, { store }: HookContext): KubeObject | undefined => {
  const name = textOf(specOf(pod)["priorityClassName"]);
  if (name === "") {
    return store.peekAll(priorityClasses).find((candidate) => candidate["globalDefault"] === true);
  }
  const found = store.peek(priorityClasses, { name });
  if (found === undefined) {
    throw refused(pod, `no PriorityClass with name ${name} was found`);
  }
  return found;
};

const withPriority = (pod: KubeObject, spec: Part, context: HookContext): Part => {
  const found = classOf(pod, context);
  const { value = 0, preemptionPolicy = "PreemptLowerPriority" } = partOf(found);
  if (spec["priority"] !== undefined && spec["priority"] !== value) {
    throw refused(
      pod,
      `the integer value of priority (${String(spec["priority"])}) must not be provided in pod spec; priority admission controller computed ${String(value)} from the given PriorityClass name`,
    );
  }
  if (spec["preemptionPolicy"] !== undefined && spec["preemptionPolicy"] !== preemptionPolicy) {
    throw refused(
      pod,
      `the string value of PreemptionPolicy (${String(spec["preemptionPolicy"])}) must not be provided in pod spec; priority admission controller computed ${String(preemptionPolicy)} from the given PriorityClass name`,
    );
  }
  const name = found?.metadata.name;
  return {
    ...spec,
    ...(name === undefined ? {} : { priorityClassName: name }),
    priority: value,
    preemptionPolicy,
  };
};

/**
 * Returns a new Pod's spec with the additions of the server: its priority, its service account, and how long it stays on a lost node.
 * Throws a 403 for an unknown PriorityClass.
 */
export const admittedPodSpec = (pod: KubeObject, context: HookContext): Part => {
  const spec = withTolerations(withPriority(pod, specOf(pod), context));
  return isMirrorPod(pod) || textOf(spec["serviceAccountName"]) !== ""
    ? spec
    : { ...spec, serviceAccountName: "default", serviceAccount: "default" };
};
