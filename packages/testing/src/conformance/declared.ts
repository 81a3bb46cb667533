import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { mayHaveField, type Kind, type Resource } from "@capstan/schema";

/** Returns whether a kind's schema has a field; kinds of one contract only need not have the fields of the other. */
export const declares = (kinds: readonly Kind[], resource: Resource, path: string): boolean => {
  const kind = kinds.find((candidate) => candidate.kind === resource.kind && candidate.group === resource.group);
  return kind !== undefined && mayHaveField(kind, path);
};

/** Takes an object's status away, as a move or a restore does. */
export const dropStatus = (client: Client, kind: Resource, key: ObjectKey): Promise<unknown> =>
  client.patch(kind, key, { type: "json", body: [{ op: "remove", path: "/status" }] }, { subresource: "status" });
