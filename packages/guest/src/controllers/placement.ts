import { millisOf, parseQuantity, selects } from "@capstan/kube-values";
import type {
  NodeObject,
  NodeRequirement,
  NodeTerm,
  PodAffinityTerm,
  PodObject,
  PodSpec,
  Taint,
  Toleration,
} from "../kinds/workload-kinds.ts";

/** Returns whether a toleration covers a taint. */
export const tolerates = ({ effect = "", key = "", operator, value = "" }: Toleration, taint: Taint): boolean => {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key === "") return operator === "Exists";
  return key === taint.key && (operator === "Exists" || value === (taint.value ?? ""));
};

const meets = ({ key, operator, values = [] }: NodeRequirement, facts: Readonly<Record<string, string>>): boolean => {
  const value = facts[key];
  const bound = Number(values[0]);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > bound;
    case "Lt":
      return Number(value) < bound;
    default:
      return false;
  }
};

const meetsTerm = ({ matchExpressions = [], matchFields = [] }: NodeTerm, { metadata }: NodeObject): boolean => {
  const { labels = {}, name = "" } = metadata;
  const fields = { "metadata.name": name };
  const isAsked = matchExpressions.length + matchFields.length > 0;
  return (
    isAsked &&
    matchExpressions.every((requirement) => meets(requirement, labels)) &&
    matchFields.every((requirement) => meets(requirement, fields))
  );
};

/** Returns whether the Pod asks for such a Node. */
const isWanted = ({ affinity, nodeSelector = {} }: PodSpec, node: NodeObject): boolean => {
  const { labels = {} } = node.metadata;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    (terms === undefined || terms.some((term) => meetsTerm(term, node)))
  );
};

const untolerated = ({ tolerations = [] }: PodSpec, { spec }: NodeObject): Taint | undefined =>
  (spec?.taints ?? []).find(
    (taint) => taint.effect !== "PreferNoSchedule" && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

/** Returns whether Pods of these specs may be on the Node at all, however full it is. */
export const admits = (node: NodeObject, spec: PodSpec): boolean =>
  isWanted(spec, node) && untolerated(spec, node) === undefined;

const amount = (text: string | undefined): bigint => {
  const quantity = text === undefined ? undefined : parseQuantity(text);
  return quantity === undefined ? 0n : millisOf(quantity);
};

const requested = ({ spec }: PodObject, name: string): bigint =>
  spec.containers.reduce((sum, { resources }) => sum + amount(resources?.requests?.[name]), 0n);

/** The resource that the Pod would take more of than is left. */
const lacking = (pod: PodObject, node: NodeObject, there: readonly PodObject[]): string | undefined => {
  const allocatable = node.status?.allocatable ?? {};
  if (there.length >= Number(allocatable["pods"] ?? 110)) return "pods";
  return ["cpu", "memory"].find((name) => {
    const asked = requested(pod, name);
    if (asked === 0n) return false;
    return there.reduce((sum, other) => sum + requested(other, name), asked) > amount(allocatable[name]);
  });
};

const repels = (term: PodAffinityTerm, pod: PodObject, other: PodObject): boolean => {
  const namespaces = term.namespaces ?? [pod.metadata.namespace ?? ""];
  const { labels = {}, namespace = "" } = other.metadata;
  return term.labelSelector !== undefined && namespaces.includes(namespace) && selects(term.labelSelector, labels);
};

interface Place {
  readonly node: NodeObject;
  /** Pods on it, and those that are about to be. */
  readonly pods: readonly PodObject[];
}

/** Returns whether a Pod that this one must not be near is in the same part of the topology. */
const isRepelled = (pod: PodObject, { node }: Place, places: readonly Place[]): boolean => {
  const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some((term) => {
    const part = node.metadata.labels?.[term.topologyKey];
    if (part === undefined) return false;
    return places.some(
      (place) =>
        place.node.metadata.labels?.[term.topologyKey] === part && place.pods.some((other) => repels(term, pod, other)),
    );
  });
};

/** Why the Pod cannot be there. */
const obstacle = (pod: PodObject, place: Place, places: readonly Place[]): string | undefined => {
  const taint = untolerated(pod.spec, place.node);
  if (taint !== undefined) {
    const { key, value } = taint;
    return `node(s) had untolerated taint {${value === undefined || value === "" ? key : `${key}: ${value}`}}`;
  }
  if (!isWanted(pod.spec, place.node)) return "node(s) didn't match Pod's node affinity/selector";
  const resource = lacking(pod, place.node, place.pods);
  if (resource === "pods") return "Too many pods";
  if (resource !== undefined) return `Insufficient ${resource}`;
  return isRepelled(pod, place, places) ? "node(s) didn't match pod anti-affinity rules" : undefined;
};

/** The Node with the fewest Pods of those where the Pod can be, or why there is none, as kube-scheduler says it. */
export const placeFor = (
  pod: PodObject,
  places: readonly Place[],
): { readonly node: string } | { readonly message: string } => {
  const obstacles = places.map((place) => obstacle(pod, place, places));
  const [best] = places
    .filter((_place, index) => obstacles[index] === undefined)
    .toSorted((one, other) => one.pods.length - other.pods.length);
  if (best !== undefined) return { node: best.node.metadata.name ?? "" };
  const counts = Map.groupBy(obstacles, (reason) => reason ?? "");
  const reasons = [...counts].map(([reason, { length }]) => `${length} ${reason}`).toSorted();
  return { message: `0/${places.length} nodes are available: ${reasons.join(", ")}.` };
};
