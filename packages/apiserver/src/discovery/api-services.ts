import type { KubeObject } from "@capstan/schema";
import type { RegistrySnapshot } from "../registry/types.ts";

const ownGroup = "apiregistration.k8s.io";

/** The read-only APIServices: one per served version, all local and available, by name. `created` is an RFC 3339 time. */
export const apiServices = (snapshot: RegistrySnapshot, created: string): readonly KubeObject[] =>
  snapshot.groups
    .filter(({ group }) => group !== ownGroup)
    .flatMap(({ group, versions }) =>
      versions.map((version, index): KubeObject & { readonly metadata: { readonly name: string } } => ({
        apiVersion: `${ownGroup}/v1`,
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
    )
    .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
