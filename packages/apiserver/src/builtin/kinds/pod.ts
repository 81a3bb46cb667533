import { deepEqual } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import { memberOf } from "../../values/json-value.ts";
import type { SubresourceDefinition } from "../../model/types.ts";
import { kindSchema } from "../types/type-schema.ts";
import type { BuiltinOptions, KindBehaviour } from "./kind-behaviour.ts";
import { forbidden, invalid } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { changed, filled, listOf, partOf, specOf, statusOf, textOf, withSpec } from "../../values/object-parts.ts";
import type { Part } from "../../values/object-parts.ts";
import { admittedPodSpec, withTolerations } from "./pod-admission.ts";
import { bindPod } from "./pod-binding.ts";
import { podSpecDefaults } from "./pod-defaults.ts";
import { evictPod } from "./pod-eviction.ts";
import { podSpecCauses } from "../validation/pod-spec.ts";
import { millisOf } from "../../values/quantity.ts";

const defaultGraceSeconds = 30;
/** What Kubernetes has for lengths of time ends there, after 292 years. */
const longestGraceSeconds = 9_223_372_036;

/** What containers of Pods are given, but not those of templates: requests as high as the limits, ports of the host's network. */
const ownDefaults =
  (hostNetwork: boolean) =>
  (value: unknown): Part => {
    const container = partOf(value);
    const { limits, requests } = partOf(container["resources"]);
    const measured =
      limits === undefined || limits === null
        ? container
        : {
            ...container,
            resources: { ...partOf(container["resources"]), requests: filled(partOf(requests), partOf(limits)) },
          };
    return hostNetwork
      ? changed(measured, "ports", (ports) =>
          listOf(ports).map((port) => ({
            ...partOf(port),
            hostPort: partOf(port)["hostPort"] || partOf(port)["containerPort"],
          })),
        )
      : measured;
  };

/** Whether a container asks for what decides who is evicted first. */
const hasResources = (container: unknown): boolean => {
  const { limits, requests } = partOf(partOf(container)["resources"]);
  const isSome = (amounts: unknown, name: string) => (millisOf(partOf(amounts)[name]) ?? 0n) > 0n;
  return ["cpu", "memory"].some((name) => isSome(limits, name) || isSome(requests, name));
};

const isGuaranteed = (container: unknown): boolean => {
  const resources = partOf(partOf(container)["resources"]);
  const limits = partOf(resources["limits"]);
  const requests = { ...limits, ...partOf(resources["requests"]) };
  return ["cpu", "memory"].every((name) => limits[name] !== undefined && limits[name] === requests[name]);
};

const qosClass = (spec: Part): string => {
  const containers = [...listOf(spec["initContainers"]), ...listOf(spec["containers"])];
  if (!containers.some(hasResources)) {
    return "BestEffort";
  }
  return containers.every(isGuaranteed) ? "Guaranteed" : "Burstable";
};

const withoutImages = (list: unknown): readonly Part[] =>
  listOf(list).map((container) => {
    const { image: _, ...others } = partOf(container);
    return others;
  });

/** Whether a Pod that waits at a gate asks for more of its Node than before. */
const isNarrowed = (spec: Part, before: Part): boolean => {
  const wanted = partOf(spec["nodeSelector"]);
  return (
    listOf(before["schedulingGates"]).length > 0 &&
    Object.entries(partOf(before["nodeSelector"])).every(([key, value]) => memberOf(wanted, key) === value)
  );
};

const affinityToNodes = (spec: Part): Part => partOf(partOf(spec["affinity"])["nodeAffinity"]);

const withoutNodeAffinity = (affinity: unknown): Part | undefined => {
  const { nodeAffinity: _nodes, ...others } = partOf(affinity);
  return Object.keys(others).length === 0 ? undefined : others;
};

/** Whether a Pod that waits at a gate has no Nodes that it must be on by affinity, and may still choose them. */
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

const validate = (object: KubeObject): Causes => podSpecCauses(specOf(object), "spec");

const ephemeralCauses = (pod: KubeObject): Causes =>
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

/** Gates are only taken away. */
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

/** Nobody may make a Pod wait longer or shorter for its end; a negative time, from before there was a rule, becomes one second. */
const comparableGrace = (spec: Part, before: Part): Part => {
  const isMended = Number(before["terminationGracePeriodSeconds"]) < 0 && spec["terminationGracePeriodSeconds"] === 1;
  return isMended ? { ...spec, terminationGracePeriodSeconds: before["terminationGracePeriodSeconds"] } : spec;
};

const updateCauses = (object: KubeObject, old: KubeObject): Causes => {
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
    : !deepEqual(comparable(spec, before), comparable(before, before))
      ? [
          forbidden(
            "spec",
            "pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations), `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
          ),
        ]
      : [];
};

/** Seconds a Pod is left to its kubelet; undefined when nobody runs it. */
const graceSeconds = (pod: KubeObject, asked: number | undefined): number | undefined => {
  const spec = specOf(pod);
  const phase = statusOf(pod)["phase"];
  const seconds = asked ?? Number(spec["terminationGracePeriodSeconds"] ?? defaultGraceSeconds);
  const idle = textOf(spec["nodeName"]) === "" || phase === "Succeeded" || phase === "Failed";
  return idle || seconds === 0 ? undefined : Math.min(Math.max(seconds, 1), longestGraceSeconds);
};

const spec =
  (name: string): ((pod: KubeObject) => string) =>
  (pod) =>
    textOf(specOf(pod)[name]);
const status =
  (name: string): ((pod: KubeObject) => string) =>
  (pod) =>
    textOf(statusOf(pod)[name]);

const selectableFields = {
  "spec.nodeName": spec("nodeName"),
  "spec.restartPolicy": spec("restartPolicy"),
  "spec.schedulerName": spec("schedulerName"),
  "spec.serviceAccountName": spec("serviceAccountName"),
  "spec.hostNetwork": (pod: KubeObject) => String(specOf(pod)["hostNetwork"] === true),
  "status.phase": status("phase"),
  "status.podIP": status("podIP"),
  "status.podIPs": status("podIP"),
  "status.nominatedNodeName": status("nominatedNodeName"),
};

const changesOf = (name: string, fields: readonly string[]): SubresourceDefinition => ({
  name,
  verbs: ["get", "patch", "update"],
  behaviour: {
    type: "part",
    take: (body, stored) =>
      withSpec(
        stored,
        Object.fromEntries(
          fields.filter((field) => field in specOf(body)).map((field) => [field, specOf(body)[field]]),
        ),
      ),
  },
});

const absent = (name: string, verbs: SubresourceDefinition["verbs"]): SubresourceDefinition => ({
  name,
  verbs,
  behaviour: { type: "absent" },
});

const actions: readonly SubresourceDefinition[] = [
  {
    name: "binding",
    verbs: ["create"],
    kind: { group: "", version: "v1", kind: "Binding" },
    get schema() {
      return kindSchema("core", "Binding");
    },
    behaviour: { type: "action", act: bindPod },
  },
  {
    name: "eviction",
    verbs: ["create"],
    kind: { group: "policy", version: "v1", kind: "Eviction" },
    get schema() {
      return kindSchema("policy", "Eviction");
    },
    behaviour: { type: "action", act: evictPod },
  },
];

export const pods = ({ connectPod }: BuiltinOptions): KindBehaviour => ({
  applyDefaults: (pod) => {
    const defaults = podSpecDefaults(pod["spec"]);
    const own = ["initContainers", "containers"].reduce<Part>(
      (current, list) =>
        changed(current, list, (value) => listOf(value).map(ownDefaults(current["hostNetwork"] === true))),
      defaults,
    );
    return { ...pod, spec: filled(own, { enableServiceLinks: true }) };
  },
  selectableFields,
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: (pod, context) => ({
      ...pod,
      spec: admittedPodSpec(pod, context),
      status: { phase: "Pending", qosClass: qosClass(specOf(pod)) },
    }),
    prepareForUpdate: (pod, _old, _context) => ({ ...pod, spec: withTolerations(specOf(pod)) }),
    validate: (pod) => [...validate(pod), ...ephemeralCauses(pod)],
    validateUpdate: (pod, old, _context, subresource) => {
      if (subresource === "status") {
        return [];
      }
      return [...validate(pod), ...(subresource === "" ? updateCauses(pod, old) : [])];
    },
    beforeDelete: (pod, options) => graceSeconds(pod, options.gracePeriodSeconds),
  },
  subresources: [
    absent("attach", ["create", "get"]),
    ...actions,
    changesOf("ephemeralcontainers", ["ephemeralContainers"]),
    absent("exec", ["create", "get"]),
    absent("log", ["get"]),
    {
      ...absent("portforward", ["create", "get"]),
      ...(connectPod !== undefined && { behaviour: { type: "ports", connect: connectPod } }),
    },
    absent("proxy", ["create", "delete", "get", "patch", "update"]),
    changesOf("resize", ["containers", "initContainers"]),
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
});
