import type { KubeObject } from "@capstan/schema";
import type { RegistrySnapshot } from "../registry/types.ts";

/** The read-only APIServices: one per served version, all local and available. `created` is an RFC 3339 time. */
export const apiServices = (snapshot: RegistrySnapshot, created: string): readonly KubeObject[] =>
  snapshot.groups.flatMap(({ group, versions }) =>
    versions.map((version, index) => ({
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: {
        name: `${version}.${group}`,
        creationTimestamp: created,
        labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" },
      },
      spec: {
        ...(group === "" ? {} : { group }),
        version,
        groupPriorityMinimum: group === "" ? 18_000 : 1000,
        versionPriority: 100 - index,
      },
      status: {
        conditions: [
          {
            type: "Available",
            status: "True",
            lastTransitionTime: created,
            reason: "Local",
            message: "Local APIServices are always available",
          },
        ],
      },
    })),
  );
