import type { KubeObject } from "@capstan/schema";

/** Names one object. `namespace` is absent, or empty, for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The key of an object; the namespace is empty where the object has none. */
export const keyOf = ({ metadata }: Pick<KubeObject, "metadata">): Required<ObjectKey> => ({
  namespace: metadata.namespace ?? "",
  name: metadata.name ?? "",
});

/** A key as text, for maps, queues, indexes and messages: `namespace/name`, and `/name` without a namespace. */
export const keyText = ({ namespace = "", name }: ObjectKey): string => `${namespace}/${name}`;

/** The key of a text that `keyText` made. */
export const keyFromText = (text: string): Required<ObjectKey> => {
  const slash = text.indexOf("/");
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
};
