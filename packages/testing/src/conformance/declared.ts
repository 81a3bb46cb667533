import type { Client, ObjectKey } from "@capstan/kube";
import type { Kind, Resource, StructuralSchema } from "@capstan/schema";

/** Whether a kind's schema has a field; kinds of one contract only need not have the fields of the other. */
export const declares = (kinds: readonly Kind[], resource: Resource, path: string): boolean => {
  const kind = kinds.find((candidate) => candidate.kind === resource.kind && candidate.group === resource.group);
  let schema: StructuralSchema | undefined = kind?.schema;
  for (const part of path.split(".")) schema = schema?.properties?.[part];
  return schema !== undefined;
};

/** Takes an object's status away, as a move or a restore does. */
export const dropStatus = (client: Client, kind: Resource, key: ObjectKey): Promise<unknown> =>
  client.patch(kind, key, { type: "json", body: [{ op: "remove", path: "/status" }] }, { subresource: "status" });
