import { createHash } from "node:crypto";

/** Processes with the same providers, watch filter and namespaces take turns; others never wait for them. */
export const leaseName = (
  providers: readonly string[],
  shard: { readonly watchFilter?: string | undefined; readonly namespaces: readonly string[] },
): string => {
  const name = `capstan-${[...new Set(providers)].toSorted().join("-")}`;
  if (shard.watchFilter === undefined && shard.namespaces.length === 0) return name;
  const text = JSON.stringify([shard.watchFilter ?? "", ...shard.namespaces.toSorted()]);
  return `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 10)}`;
};
