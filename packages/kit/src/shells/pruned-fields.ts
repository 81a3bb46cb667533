import type { Logger } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { valueAt } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";

type Path = readonly string[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const leaves = (patch: MergePatch, prefix: Path = []): readonly Path[] =>
  Object.entries(patch).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return isRecord(value) ? leaves(value, [...prefix, key]) : [[...prefix, key]];
  });

/**
 * Fields that the API server drops because the kind's schema does not have them. Without this memory a kind that lacks, say, the older
 * contract's `status.ready` would be patched for ever.
 */
export class PrunedFields {
  readonly #paths = new Set<string>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Compares what was asked for with what was stored. */
  learn(resource: Resource, stored: KubeObject, asked: MergePatch): void {
    for (const path of leaves(asked)) {
      const name = path.join(".");
      if (path.some((part) => part.includes(".")) || this.#paths.has(name) || valueAt(stored, name) !== undefined)
        continue;
      this.#paths.add(name);
      this.#log.warn("the schema of the kind lacks a field of the contract; it is not written any more", {
        kind: resource.kind,
        field: name,
      });
    }
  }

  /** The patch without fields that are known to be dropped, and without the parents that this leaves empty. */
  without(patch: MergePatch, prefix: Path = []): MergePatch {
    if (this.#paths.size === 0) return patch;
    const kept = Object.entries(patch).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
      if (this.#paths.has([...prefix, key].join("."))) return [];
      if (!isRecord(value)) return [[key, value]];
      const inner = this.without(value, [...prefix, key]);
      return Object.keys(inner).length === 0 && Object.keys(value).length > 0 ? [] : [[key, inner]];
    });
    return Object.fromEntries(kept);
  }
}
