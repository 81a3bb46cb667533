import { createHash } from "node:crypto";
import { inApplyOrder, type ManifestObject } from "@capstan/apiserver";
import { createDiscovery, type Client } from "@capstan/kube";
import { groupOf, isBeingDeleted, type ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import manifest from "../../package.json" with { type: "json" };
import { identityOf } from "../manifest/identity.ts";
import { upFieldManager } from "./apply.ts";

/** The label of an ApplySet's members; its value is the set's id. This and all below: KEP-3659, as `kubectl apply --prune` keeps it. */
export const partOfLabel = "applyset.kubernetes.io/part-of";
const idLabel = "applyset.kubernetes.io/id";
const toolingAnnotation = "applyset.kubernetes.io/tooling";
const groupKindsAnnotation = "applyset.kubernetes.io/contains-group-kinds";
const namespacesAnnotation = "applyset.kubernetes.io/additional-namespaces";

/** An object with the kind that it is of. */
export interface AppliedObject {
  readonly kind: Resource;
  readonly object: KubeObject;
}

/** Returns whether `capstan up` applied an object. */
export const isApplied = ({ metadata }: KubeObject): boolean =>
  (metadata.managedFields ?? []).some((entry) => {
    const { manager, operation } = entry as { readonly manager?: string; readonly operation?: string };
    return manager === upFieldManager && operation === "Apply";
  });

/** The id of the set whose parent is this ConfigMap. */
export const applySetId = ({ namespace = "", name }: ObjectKey): string =>
  `applyset-${createHash("sha256").update(`${name}.${namespace}.ConfigMap.`).digest("base64url")}-v1`;

/** Where members of a set may be. */
export interface SetExtent {
  /** `Kind` or `Kind.group`. */
  readonly groupKinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Extent of a set without members. */
export const nowhere: SetExtent = { groupKinds: new Set(), namespaces: new Set() };

const words = (text: string | undefined): ReadonlySet<string> =>
  new Set((text ?? "").split(",").filter((word) => word !== ""));

/** Reads the extent of the set from its parent; empty without the annotations. */
export const extentIn = (parent: KubeObject | undefined): SetExtent => ({
  groupKinds: words(parent?.metadata.annotations?.[groupKindsAnnotation]),
  namespaces: words(parent?.metadata.annotations?.[namespacesAnnotation]),
});

/** An extent with these objects as well. `namespace`: of objects that name none. */
export const extended = (extent: SetExtent, objects: readonly ManifestObject[], namespace: string): SetExtent => {
  const groupKinds = objects.map(({ object: { apiVersion, kind } }) =>
    [kind, groupOf(apiVersion)].filter((word) => word !== "").join("."),
  );
  const namespaces = objects.map(({ object }) => object.metadata.namespace ?? namespace);
  return {
    groupKinds: new Set([...extent.groupKinds, ...groupKinds]),
    namespaces: new Set([...extent.namespaces, ...namespaces]),
  };
};

/** Metadata of a set's parent. */
export const parentMetadata = (key: ObjectKey, { groupKinds, namespaces }: SetExtent) => ({
  ...key,
  labels: { [idLabel]: applySetId(key) },
  annotations: {
    [toolingAnnotation]: `capstan/v${manifest.version}`,
    [groupKindsAnnotation]: [...groupKinds].toSorted().join(","),
    [namespacesAnnotation]: [...namespaces]
      .filter((name) => name !== key.namespace)
      .toSorted()
      .join(","),
  },
});

/** Members of a set that are in none of the files, in the order in which they are deleted. */
export const leftOver = async (
  { id, extent }: { readonly id: string; readonly extent: SetExtent },
  declared: readonly ManifestObject[],
  { client, namespace, signal }: { readonly client: Client; readonly namespace: string; readonly signal: AbortSignal },
): Promise<readonly AppliedObject[]> => {
  const discovery = createDiscovery(client);
  const found: AppliedObject[] = [];
  // The namespace of an object that is in none says nothing.
  const identities = { true: new Set<string>(), false: new Set<string>() };
  for (const item of declared) {
    identities.true.add(identityOf(item, namespace));
    identities.false.add(identityOf(clusterScoped(item.object)));
  }
  for (const groupKind of extent.groupKinds) {
    const [name = "", ...group] = groupKind.split(".");
    const kind = await discovery.resourceFor({ group: group.join("."), kind: name }, { signal });
    if (kind === undefined) continue;
    const known = identities[`${kind.namespaced}`];
    const { items } = await client.list<KubeObject>(kind, { labelSelector: `${partOfLabel}=${id}`, signal });
    for (const object of items) {
      const isKnown = known.has(identityOf(kind.namespaced ? { object } : clusterScoped(object), namespace));
      if (!isKnown && isApplied(object) && !isBeingDeleted(object)) found.push({ kind, object });
    }
  }
  return inApplyOrder(found, ({ object }) => object).toReversed();
};

const clusterScoped = ({ apiVersion, kind, metadata: { name } }: KubeObject): { readonly object: KubeObject } => ({
  object: { apiVersion, kind, metadata: { name: name ?? "" } },
});
