import { CapstanError } from "@capstan/contract";
import { ClusterResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { DataFolder } from "./data-folder.ts";
import { rememberedParts } from "./remembered-parts.ts";

/**
 * Checks that the folder's Clusters are of the same sort, simulated or real: controllers would find every server gone.
 * Throws `up.other_cloud` when they are not.
 */
export const checkSameClouds = async (
  client: Client,
  options: { readonly data: DataFolder; readonly simulate: readonly string[]; readonly signal: AbortSignal },
): Promise<void> => {
  const { data, simulate, signal } = options;
  const before = rememberedParts(data)?.simulate;
  if (before === undefined || before.length > 0 === simulate.length > 0) return;
  const { items } = await client.list(ClusterResource, { signal });
  const [first] = items;
  if (first === undefined) return;
  const flag = `--simulate ${before.join(",")}`;
  const why =
    before.length > 0
      ? `its clusters, such as ${first.metadata.name ?? ""}, are in a simulated cloud; add ${flag}, or choose another folder for the real one`
      : `its clusters, such as ${first.metadata.name ?? ""}, are in a real cloud; leave --simulate out, or choose another folder`;
  throw new CapstanError({
    code: "up.other_cloud",
    reason: "OtherCloud",
    message: `--data-dir ${data.path}: ${why}`,
    retry: { kind: "never" },
  });
};
