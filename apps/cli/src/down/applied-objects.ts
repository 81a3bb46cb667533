import { inApplyOrder } from "@capstan/apiserver";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { backedUpKinds } from "../backup/api-kinds.ts";
import { orNone } from "../describe/read-tree.ts";
import { appliedFilesKey } from "../up/applied-files.ts";
import { upFieldManager } from "../up/apply.ts";

/** An object with the kind that it is of. */
export interface AppliedObject {
  readonly kind: Resource;
  readonly object: KubeObject;
}

const isApplied = ({ metadata }: KubeObject): boolean =>
  (metadata.managedFields ?? []).some((entry) => {
    const { manager, operation } = entry as { readonly manager?: string; readonly operation?: string };
    return manager === upFieldManager && operation === "Apply";
  });

const isRecord = ({ kind, metadata }: KubeObject): boolean =>
  kind === "ConfigMap" && metadata.name === appliedFilesKey.name && metadata.namespace === appliedFilesKey.namespace;

/** Every object that `capstan up` applied, what others need last: in the order in which they are deleted. */
export const appliedObjects = async (client: Client, signal: AbortSignal): Promise<readonly AppliedObject[]> => {
  const found: AppliedObject[] = [];
  for (const kind of await backedUpKinds(client, signal)) {
    const objects = await orNone(client.list(kind, { signal }).then(({ items }) => items));
    for (const object of objects) if (isApplied(object) && !isRecord(object)) found.push({ kind, object });
  }
  return inApplyOrder(found, ({ object }) => object).toReversed();
};
