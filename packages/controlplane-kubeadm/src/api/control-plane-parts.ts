import { enumOf, int32, intOrString, object, optional, text, time } from "@capstan/schema";
import { count, type Strictness } from "@capstan/kit/machines";

export const replicas = () => count("Control-plane Machines wanted; an odd number unless etcd is external.");

export const naming = (strictness: Strictness) =>
  object(
    {
      template: optional(
        text(
          256,
          "Template of the names, for example {{ .kubeadmControlPlane.name }}-{{ .random }}; it must use .random.",
        ),
      ),
    },
    { description: "How the Machines are named.", ...strictness.object },
  );

export const rolloutAfter = () =>
  time({ description: "After this time, Machines created before it are replaced even without a change." });

/** `minimum` is what only the newer version demands. */
export const rolloutBefore = (strictness: Strictness, limits: { readonly minimum?: number }) =>
  object(
    {
      certificatesExpiryDays: optional(
        int32({
          description: "Machines whose certificates expire in less than this many days are replaced.",
          ...limits,
        }),
      ),
    },
    { description: "What Machines are replaced ahead of.", ...strictness.object },
  );

export const rollingUpdate = (strictness: Strictness) =>
  object(
    {
      maxSurge: optional(
        intOrString({ description: "Machines above the number wanted while they are replaced: 0 or 1; 1 when unset." }),
      ),
    },
    { description: "Pace of a RollingUpdate.", ...strictness.object },
  );

export const strategyType = () =>
  enumOf(["RollingUpdate"], { description: "RollingUpdate: one Machine after another." });

export const maxRetry = () =>
  int32({
    description: "Number of times a repeatedly unhealthy Machine is replaced; unlimited when unset.",
  });

/** Machines replaced for their health, as the status tells of the last. `limits` are what only the newer version demands. */
export const remediationRecord = (limits: { readonly minimum?: number }) => ({
  machine: text(253, "Name of the Machine."),
  retryCount: int32({ description: "How often that was tried before without success.", ...limits }),
});

/** Counters by the rules of v1beta1. */
export const olderCounters = {
  updatedReplicas: optional(count("Machines that are up to date.")),
  readyReplicas: optional(count("Machines with a ready Node.")),
  unavailableReplicas: optional(count("Machines wanted that have no ready Node.")),
};
