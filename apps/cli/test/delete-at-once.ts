import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { parseAllDocuments } from "yaml";
import type { Simulated, TestSystem } from "./test-system.ts";

const namespace = "default";

/** Kinds by which machines are made, and what is made of them. */
const making = (group: string, version: string, kind: string): Resource =>
  resource({ group: `${group}.cluster.x-k8s.io`, version, kind, plural: `${kind.toLowerCase()}s` });

const declared = (manifest: string): readonly KubeObject[] =>
  parseAllDocuments(manifest).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);

/** The kind of an object of a manifest. */
const kindOf = ({ apiVersion, kind }: KubeObject): Resource => {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const plural = /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return resource({ group, version, kind, plural: plural.toLowerCase() });
};

/**
 * Deletes every Secret first, those of the cluster too, then templates and bootstrap configs, then the rest of the manifest, as
 * `kubectl delete -f` would in an unlucky order; and waits until the Cluster is gone, and every Secret with it.
 */
export const deleteNeededFirst = async <S extends Simulated>(
  system: TestSystem<S>,
  manifest: string,
): Promise<void> => {
  const { client } = system.running;
  const objects = declared(manifest);
  const remove = async (kind: Resource): Promise<void> => {
    for (const object of (await client.list<KubeObject>(kind, { namespace })).items) {
      await client.delete(kind, keyOf(object));
    }
  };
  await remove(SecretResource);
  const isTemplate = ({ kind }: KubeObject): boolean => kind.endsWith("Template");
  for (const object of objects.filter(isTemplate)) {
    await client.delete(kindOf(object), { namespace, name: object.metadata.name ?? "" });
  }
  await remove(making("bootstrap", "v1beta2", "KubeadmConfig"));
  await system.pass(5000);
  for (const object of objects.filter((each) => !isTemplate(each) && each.kind !== "Secret")) {
    await client.delete(kindOf(object), { namespace, name: object.metadata.name ?? "" });
  }
  await system.until(async () => {
    const lists = await Promise.all(
      [ClusterResource, SecretResource].map((kind) => client.list<KubeObject>(kind, { namespace })),
    );
    return lists.every(({ items }) => items.length === 0);
  });
};
