import { Group, silentLogger, type Clock } from "@capstan/contract";
import { isControlPlane, SecretResource } from "@capstan/contract/wire";
import { findClusterSecret, secretBytes, secretText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { KubeadmConfig } from "../src/api.ts";
import type { Context } from "../src/config/uses.ts";

const controlPlaneResource = resource({
  group: Group.controlPlane,
  version: "v1beta2",
  kind: "ExampleControlPlane",
  plural: "examplecontrolplanes",
  namespaced: true,
});

/** What a manager hands to the author. One API server is the management cluster and the workload cluster at once. */
export const authorContext = (
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  {
    controlPlane,
    ...objects
  }: {
    readonly object: KubeadmConfig;
    readonly machine: KubeObject;
    readonly cluster: KubeObject;
    /** What the Cluster refers to as its control plane. */
    readonly controlPlane?: KubeObject | undefined;
  },
): Context => {
  const { namespace = "", name = "" } = objects.object.metadata;
  return {
    ...objects,
    controlPlane: isControlPlane(objects.machine),
    client,
    clock,
    random: seededRandom(42),
    log: silentLogger,
    call: { signal: new AbortController().signal },
    event: () => undefined,
    persistSpec: (patch) =>
      client.patch<KubeadmConfig>(KubeadmConfig, { namespace, name }, { type: "merge", body: { spec: patch } }),
    secret: async (secret) => {
      const found = await client.find(SecretResource, { namespace, name: secret });
      return found === undefined ? undefined : secretText(secretBytes(found));
    },
    clusterSecret: (purpose) =>
      findClusterSecret({ client, cluster: objects.cluster, call: { signal: new AbortController().signal } }, purpose),
    watchSecret: () => undefined,
    seenSecret: async (key) => {
      const found = await client.find(SecretResource, key);
      return found && { secret: found, data: secretBytes(found) };
    },
    madeSecret: () => undefined,
    mayBeLocked: () => true,
    awaitsLock: () => undefined,
    workload: async () => client,
    uses: {
      controlPlane: {
        kind: async () => ({ resource: controlPlaneResource, contract: "v1beta2" }),
        find: async () => controlPlane && { object: controlPlane, resource: controlPlaneResource, contract: "v1beta2" },
      },
    },
    condition: () => undefined,
  };
};
