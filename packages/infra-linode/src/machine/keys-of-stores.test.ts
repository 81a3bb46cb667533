import { SecretResource } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { keysOfStores } from "./keys-of-stores.ts";

const labels = { "capstan.dev/object-storage-key-name": "key", "capstan.dev/object-storage-key-namespace": "team" };

const heldWith = (generatedSecret: object, secretNamespace: string): readonly unknown[] => {
  const objects: readonly (readonly [Resource, object])[] = [
    [SecretResource, { metadata: { namespace: secretNamespace, name: "store", labels } }],
    [LinodeObjectStorageKey, { metadata: { namespace: "team", name: "key" }, spec: { generatedSecret } }],
  ];
  const get = (kind: Resource, key: { readonly namespace?: string; readonly name: string }): unknown =>
    objects.find(
      ([of, object]) =>
        of.kind === kind.kind &&
        (object as KubeObject).metadata.namespace === key.namespace &&
        (object as KubeObject).metadata.name === key.name,
    )?.[1];
  return keysOfStores({
    environment: { cache: { get } as unknown as Cache },
    infraCluster: { spec: { objectStore: { credentialsRef: { name: "store" } } } } as LinodeCluster,
    object: { apiVersion: "", kind: "", metadata: { namespace: secretNamespace, name: "node" } },
  });
};

it.each<[string, object, string, readonly unknown[]]>([
  ["beside it", { name: "store" }, "team", [{ name: "key", namespace: "team" }]],
  ["that it writes elsewhere", { name: "store", namespace: "blue" }, "blue", [{ name: "key", namespace: "team" }]],
  ["that only says so by its labels", { name: "store" }, "blue", []],
])("a machine holds the key of a Secret %s", (_, generatedSecret, namespace, keys) => {
  expect(heldWith(generatedSecret, namespace)).toEqual(keys);
});
