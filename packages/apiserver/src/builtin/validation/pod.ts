import { type KubeObject, own, sameJson } from "@capstan/schema";
import { listOf, type Part, partOf, specOf, textOf } from "../../values/object-parts.ts";
import { type Causes, forbidden, invalid } from "./causes.ts";
import { podSpecCauses } from "./pod-spec.ts";

const withoutImages = (list: unknown): readonly Part[] =>
  listOf(list).map((container) => {
    const { image: _, ...others } = partOf(container);
    return others;
  });

/** Returns whether a Pod that waits at a gate asks for more of its Node than before. */
const isNarrowed = (spec: Part, before: Part): boolean => {
  const wanted = partOf(spec["nodeSelector"]);
  return (
    listOf(before["schedulingGates"]).length > 0 &&
    Object.entries(partOf(before["nodeSelector"])).every(([key, value]) => own(wanted, key) === value)
  );
};

const affinityToNodes = (spec: Part): Part => partOf(partOf(spec["affinity"])["nodeAffinity"]);

const withoutNodeAffinity = (affinity: unknown): Part | undefined => {
  const { nodeAffinity: _nodes, ...others } = partOf(affinity);
  return Object.keys(others).length === 0 ? undefined : others;
};

/** Returns whether a Pod that waits at a gate has no Nodes that it must be on by affinity, and may still choose them. */
const isOpen = (before: Part): boolean => {
  const { nodeSelectorTerms } = partOf(affinityToNodes(before)["requiredDuringSchedulingIgnoredDuringExecution"]);
  return listOf(before["schedulingGates"]).length > 0 && listOf(nodeSelectorTerms).length === 0;
};

/** The fields of a running Pod's spec that updates may change, removed or made equal to the old ones. */
const comparable = (spec: Part, before: Part): Part => {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  return {
    ...rest,
    ...(isNarrowed(spec, before) ? { nodeSelector: before["nodeSelector"] } : {}),
    ...(isOpen(before) ? { affinity: withoutNodeAffinity(spec["affinity"]) } : {}),
    containers: withoutImages(spec["containers"]),
    initContainers: withoutImages(spec["initContainers"]),
  };
};

export const podCauses = (object: KubeObject): Causes => podSpecCauses(specOf(object), "spec");

export const ephemeralCauses = (pod: KubeObject): Causes =>
  listOf(specOf(pod)["ephemeralContainers"]).length === 0
    ? []
    : [forbidden("spec.ephemeralContainers", "ephemeral containers not allowed in create")];

/** A deadline may be set, and come nearer. */
const deadlineCauses = (deadline: unknown, before: unknown): Causes => {
  const field = "spec.activeDeadlineSeconds";
  if (typeof before !== "number" || (typeof deadline === "number" && deadline <= before)) {
    return [];
  }
  return [
    invalid(
      field,
      deadline ?? null,
      typeof deadline === "number" ? `must be less than or equal to ${before}` : "must not be removed",
    ),
  ];
};

/** A toleration without the time that it is for, which may change; members in one order. */
const tolerationKey = (toleration: unknown): string => {
  const { key, operator, value, effect } = partOf(toleration);
  return JSON.stringify([key, operator, value, effect].map((member) => member ?? ""));
};

/** Tolerations may be added, and last longer or shorter. */
const tolerationCauses = (spec: Part, before: Part): Causes => {
  const kept = new Set(listOf(spec["tolerations"]).map(tolerationKey));
  return listOf(before["tolerations"]).every((known) => kept.has(tolerationKey(known)))
    ? []
    : [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
};

/** Gates are only removed. */
const gateCauses = (spec: Part, before: Part): Causes => {
  const names = (part: Part): readonly string[] =>
    listOf(part["schedulingGates"]).map((gate) => textOf(partOf(gate)["name"]));
  const known = new Set(names(before));
  return names(spec).flatMap((name, index) =>
    known.has(name)
      ? []
      : [forbidden(`spec.schedulingGates[${index}].name`, "only deletion is allowed, but found new scheduling gate")],
  );
};

/** No one may make a Pod wait longer or shorter for its end; a negative time, from before there was a rule, becomes one second. */
const comparableGrace = (spec: Part, before: Part): Part => {
  const isMended = Number(before["terminationGracePeriodSeconds"]) < 0 && spec["terminationGracePeriodSeconds"] === 1;
  return isMended ? { ...spec, terminationGracePeriodSeconds: before["terminationGracePeriodSeconds"] } : spec;
};

export const podUpdateCauses = (object: KubeObject, old: KubeObject): Causes => {
  const before = specOf(old);
  const spec = comparableGrace(specOf(object), before);
  const late = deadlineCauses(spec["activeDeadlineSeconds"], before["activeDeadlineSeconds"]);
  const counts = ["containers", "initContainers"]
    .filter((list) => listOf(spec[list]).length !== listOf(before[list]).length)
    .map((list) => forbidden(`spec.${list}`, "pod updates may not add or remove containers"));
  if (counts.length > 0) {
    return counts;
  }
  const special = [...late, ...tolerationCauses(spec, before), ...gateCauses(spec, before)];
  return special.length > 0
    ? special
    : !sameJson(comparable(spec, before), comparable(before, before))
      ? [
          forbidden(
            "spec",
            "pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations), `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
          ),
        ]
      : [];
};
