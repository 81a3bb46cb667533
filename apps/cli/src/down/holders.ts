import { isHolderOf, isHoldFinalizer } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { backedUpKinds } from "../backup/api-kinds.ts";
import { orNone } from "../cluster/or-none.ts";
import { nameOf } from "../manifest/identity.ts";

/** Maximum number of users of an object that are named. */
const mostNamed = 3;

/**
 * Describes what blocks the deletion of an object: the objects that need it for their own removal, or else its
 * finalizers.
 */
export const keptBy = (object: KubeObject, everything: readonly KubeObject[]): string => {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length === 0) return "";
  const users = everything.filter((user) => isHolderOf(user, object)).map(nameOf);
  if (users.length > 0) {
    const others = users.length > mostNamed ? ` and ${users.length - mostNamed} more` : "";
    return `; needed by ${users.slice(0, mostNamed).join(", ")}${others} until deleted`;
  }
  const holds = finalizers.filter(isHoldFinalizer);
  return holds.length === 0
    ? `; kept by ${finalizers.join(", ")}`
    : `; kept by ${holds.join(", ")}, although no object references it: is the provider running?`;
};

/** Every object that there is. */
export const allObjects = async (client: Client, signal: AbortSignal): Promise<readonly KubeObject[]> => {
  const found: KubeObject[] = [];
  for (const kind of await backedUpKinds(client, signal)) {
    found.push(...(await orNone(client.list<KubeObject>(kind, { signal }).then(({ items }) => items))));
  }
  return found;
};
