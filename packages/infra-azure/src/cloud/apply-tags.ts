import type { Writing } from "@capstan/kit/machine";
import { nameOfId } from "../arm/resource-id.ts";
import type { ArmCall } from "../arm/arm-client.ts";
import type { AzureApi, TagChange } from "./azure-api.ts";

/**
 * Changes tags of what a path names: some are added or changed, some are removed. Azure may continue with that after its answer; then the
 * rest is left to the next time.
 */
export const applyTags = async (
  { api, call, operations }: { readonly api: AzureApi; readonly call: ArmCall } & Writing,
  path: string,
  { merge = {}, remove = {} }: { readonly merge?: TagChange["tags"]; readonly remove?: TagChange["tags"] },
): Promise<void> => {
  const changes: readonly TagChange[] = [
    { operation: "Merge", tags: merge },
    { operation: "Delete", tags: remove },
  ];
  for (const change of changes) {
    if (Object.keys(change.tags).length === 0) continue;
    let handle: string | undefined;
    await operations.start(`tag ${nameOfId(path)}`, async () => (handle = await api.changeTags(path, change, call)));
    if (handle !== undefined) return;
  }
};
