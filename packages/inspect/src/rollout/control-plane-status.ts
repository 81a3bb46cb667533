import { Annotation } from "@capstan/contract";
import { conditionOf, ConditionType } from "@capstan/contract/wire";
import { countNoun } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { etcdCondition } from "../state/etcd-condition.ts";
import { whyLacking } from "../state/lacking.ts";
import { unobserved } from "../state/unobserved.ts";
import { behind, type RolloutStatus, underway as onTheWay } from "./rollout-status.ts";

/** A control plane of any kind, by either generation of its status. */
export interface ControlPlaneObject extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
    readonly upToDateReplicas?: number;
    /** Replica counters of `v1beta1`. */
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
  };
}

/** Why no step is taken: what keeps Machines from coming, and else what one that goes waits for. */
const why = (object: KubeObject): string => {
  const known = whyLacking(object);
  const { message = "", status } = conditionOf(object, ConditionType.ready) ?? {};
  return known !== "" || status === "True" ? known : message.replaceAll("\n", "; ");
};

const because = (object: KubeObject): string => behind(why(object));

/** Members, quorum and leader, behind what is said of a rollout. */
const etcdText = (object: KubeObject): string => {
  const { message = "", status } = etcdCondition(object) ?? {};
  // What is wrong with it is among the reasons already.
  return message === "" || status !== "True" ? "" : `; etcd: ${message}`;
};

const underway = (text: string, object: KubeObject): RolloutStatus => onTheWay(`${text}${etcdText(object)}`);

/** Returns the progress of a control plane's rollout from its status. */
export const controlPlaneStatus = (object: ControlPlaneObject): RolloutStatus => {
  const { metadata, spec = {}, status = {} } = object;
  const label = `${object.kind.toLowerCase()}/${metadata.name}`;
  const wanted = spec.replicas ?? 1;
  const { replicas: made = 0, updatedReplicas, upToDateReplicas: current = updatedReplicas ?? 0 } = status;
  const { readyReplicas, availableReplicas: available = readyReplicas ?? 0 } = status;
  const old = made - current;
  const isPaused = metadata.annotations?.[Annotation.paused] !== undefined;
  if (isPaused && (current < wanted || old > 0)) {
    return {
      state: "stuck",
      text: `${label} is paused with ${current} of ${wanted} replicas up to date; run capstan rollout resume ${label}`,
    };
  }
  if (!isPaused && (status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return underway(unobserved(why(object)), object);
  }
  if (current < wanted) return underway(`${current} of ${wanted} new replicas are created${because(object)}`, object);
  if (old > 0) {
    return underway(
      `${countNoun(old, "old replica is", "old replicas are")} pending deletion${because(object)}`,
      object,
    );
  }
  if (made > wanted) {
    return underway(
      `${countNoun(made - wanted, "surplus replica is", "surplus replicas are")} pending deletion`,
      object,
    );
  }
  if (available < wanted) {
    return underway(`${available} of ${wanted} new replicas are available${because(object)}`, object);
  }
  return {
    state: "done",
    text: `${label} is rolled out: ${countNoun(wanted, "replica", "replicas")}${etcdText(object)}`,
  };
};
