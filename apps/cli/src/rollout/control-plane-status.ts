import { Annotation } from "@capstan/contract";
import type { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { counted } from "../counted.ts";
import { because, type RolloutStatus, underway } from "./rollout-status.ts";

/** What a control plane says of its rollout. */
export const controlPlaneStatus = (object: KubeadmControlPlane): RolloutStatus => {
  const { metadata, spec, status = {} } = object;
  const label = `kubeadmcontrolplane/${metadata.name}`;
  const wanted = spec.replicas ?? 1;
  const { replicas: made = 0, upToDateReplicas: current = 0, availableReplicas: available = 0 } = status;
  const old = made - current;
  const isPaused = metadata.annotations?.[Annotation.paused] !== undefined;
  if (isPaused && (current < wanted || old > 0)) {
    return {
      state: "stuck",
      text: `${label} is paused with ${current} of ${wanted} replicas up to date; run capstan rollout resume ${label}`,
    };
  }
  if (!isPaused && (status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return underway(`the last change has not been seen by the controller yet${because(object)}`);
  }
  if (current < wanted) return underway(`${current} of ${wanted} new replicas are made${because(object)}`);
  if (old > 0) return underway(`${counted(old, "old replica has", "old replicas have")} to go${because(object)}`);
  if (made > wanted) return underway(`${counted(made - wanted, "surplus replica has", "surplus replicas have")} to go`);
  if (available < wanted) return underway(`${available} of ${wanted} new replicas are available${because(object)}`);
  return { state: "done", text: `${label} is rolled out: ${counted(wanted, "replica", "replicas")}` };
};
