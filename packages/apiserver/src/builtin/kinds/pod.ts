import type { KubeObject } from "@capstan/schema";
import type { SubresourceDefinition } from "../../model/types.ts";
import {
  changed,
  filled,
  listOf,
  type Part,
  partOf,
  specOf,
  statusOf,
  textOf,
  withSpec,
} from "../../values/object-parts.ts";
import { millisOf } from "../../values/quantity.ts";
import { kindSchema } from "../types/type-schema.ts";
import { ephemeralCauses, podCauses, podUpdateCauses } from "../validation/pod.ts";
import type { BuiltinOptions, KindBehaviour } from "./kind-behaviour.ts";
import { withPodAddresses } from "./pod-addresses.ts";
import { admittedPodSpec, withTolerations } from "./pod-admission.ts";
import { bindPod } from "./pod-binding.ts";
import { podSpecDefaults } from "./pod-defaults.ts";
import { evictPod } from "./pod-eviction.ts";

const defaultGraceSeconds = 30;

/** Seconds in the longest duration that Kubernetes can represent: 292 years. */
const longestGraceSeconds = 9_223_372_036;

/** Sets defaults for containers of Pods, not of templates: requests equal to the limits, host ports in the host's network. */
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

/** Returns whether a container asks for what decides who is evicted first. */
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

/** Seconds a Pod is left to its kubelet; undefined when no one runs it. */
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

const noProcess = "containers on the Nodes of this API server run no processes";
const noKubelet = "this API server reaches no kubelets";

const absent = (name: string, verbs: SubresourceDefinition["verbs"], reason: string): SubresourceDefinition => ({
  name,
  verbs,
  behaviour: { type: "absent", reason },
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

export const pods = ({ connectPod, readPodLog }: BuiltinOptions): KindBehaviour => ({
  applyDefaults: (pod) => {
    const defaults = podSpecDefaults(pod["spec"]);
    const own = ["initContainers", "containers"].reduce<Part>(
      (current, list) =>
        changed(current, list, (value) => listOf(value).map(ownDefaults(current["hostNetwork"] === true))),
      defaults,
    );
    return { ...withPodAddresses(pod), spec: filled(own, { enableServiceLinks: true }) };
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
    validate: (pod) => [...podCauses(pod), ...ephemeralCauses(pod)],
    validateUpdate: (pod, old, _context, subresource) => {
      if (subresource === "status") {
        return [];
      }
      return [...podCauses(pod), ...(subresource === "" ? podUpdateCauses(pod, old) : [])];
    },
    beforeDelete: (pod, options) => graceSeconds(pod, options.gracePeriodSeconds),
  },
  subresources: [
    absent("attach", ["create", "get"], noProcess),
    ...actions,
    changesOf("ephemeralcontainers", ["ephemeralContainers"]),
    absent("exec", ["create", "get"], noProcess),
    {
      ...absent("log", ["get"], noKubelet),
      ...(readPodLog !== undefined && { behaviour: { type: "log", read: readPodLog } }),
    },
    {
      ...absent("portforward", ["create", "get"], noKubelet),
      ...(connectPod !== undefined && { behaviour: { type: "ports", connect: connectPod } }),
    },
    absent("proxy", ["create", "delete", "get", "patch", "update"], "use kubectl port-forward"),
    changesOf("resize", ["containers", "initContainers"]),
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
  ],
});
