import type { ManifestObject } from "@capstan/apiserver";
import { createDiscovery, type Client } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import { isAddon } from "../manifest/addons.ts";
import { definedKinds } from "./apply.ts";

/**
 * Add-ons whose kinds nothing serves, neither the server nor a definition among the manifests. What needs them is told so and continues
 * without; any other kind that is not served is a mistake.
 */
export const unservedAddons = async (
  manifests: readonly ManifestObject[],
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<ReadonlySet<ManifestObject>> => {
  const discovery = createDiscovery(client);
  const defined = definedKinds(manifests);
  const unserved = new Set<ManifestObject>();
  for (const item of manifests) {
    const { apiVersion, kind } = item.object;
    const group = groupOf(apiVersion);
    if (!isAddon(item.object) || defined.has(`${group}/${kind}`)) continue;
    if ((await discovery.resourceFor({ group, kind }, { signal })) === undefined) unserved.add(item);
  }
  return unserved;
};
