import type { KubeObject } from "@capstan/schema";
import type { RegistrySnapshot } from "../model/types.ts";

const ownGroup = "apiregistration.k8s.io";

/** Where APIServices are kept. */
export const apiServices = { group: ownGroup, plural: "apiservices" } as const;

/** The label of the APIServices that a server makes for what it serves itself. */
export const managedLabel = "kube-aggregator.kubernetes.io/automanaged";

const known = new WeakMap<RegistrySnapshot, ReadonlyMap<string, KubeObject>>();

/** The APIServices of what this server serves itself: one per version, by name. */
export const localApiServices = (snapshot: RegistrySnapshot): ReadonlyMap<string, KubeObject> => {
  const services = known.get(snapshot) ?? madeFrom(snapshot);
  known.set(snapshot, services);
  return services;
};

const madeFrom = ({ groups, definitions }: RegistrySnapshot): ReadonlyMap<string, KubeObject> => {
  const custom = new Set(
    definitions.filter(({ origin }) => origin === "custom").map(({ group, version }) => `${version}.${group}`),
  );
  const services = groups
    .filter(({ group }) => group !== ownGroup)
    .flatMap(({ group, versions }) =>
      versions.map((version, index): readonly [string, KubeObject] => {
        const name = `${version}.${group}`;
        const spec = {
          ...(group === "" ? {} : { group }),
          version,
          groupPriorityMinimum: group === "" ? 18_000 : 1000,
          versionPriority: Math.max(1, 100 - index),
        };
        const labels = { [managedLabel]: custom.has(name) ? "true" : "onstart" };
        return [name, { apiVersion: `${ownGroup}/v1`, kind: "APIService", metadata: { name, labels }, spec }];
      }),
    );
  return new Map(services);
};
