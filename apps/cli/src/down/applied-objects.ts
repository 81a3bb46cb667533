import { inApplyOrder } from "@capstan/apiserver";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { backedUpKinds } from "../backup/api-kinds.ts";
import { orNone } from "../cluster/or-none.ts";
import { appliedFilesKey } from "../up/applied-files.ts";
import { isApplied, type AppliedObject } from "../up/apply-set.ts";

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
