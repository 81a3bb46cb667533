import type { KubeObject } from "@capstan/schema";
import { StatusError } from "../model/status-error.ts";

/** Converts objects of one kind to another of its versions; same order and length. */
export type Converter = (objects: readonly KubeObject[], apiVersion: string) => Promise<readonly KubeObject[]>;

/** A conversion that could not be done, as clients see it. */
export const conversionFailed = (kind: string, apiVersion: string, why: string, cause?: unknown): StatusError =>
  new StatusError(500, "", `conversion of ${kind} to ${apiVersion} failed: ${why}`, { cause });

/** The converted object with the metadata of the original; a converter may only change labels and annotations. */
const restored = (original: KubeObject, converted: KubeObject, apiVersion: string): KubeObject => {
  const fail = (why: string): StatusError => conversionFailed(original.kind, apiVersion, why);
  if (converted.apiVersion !== apiVersion) throw fail(`expected apiVersion ${apiVersion}, got ${converted.apiVersion}`);
  if (converted.kind !== original.kind) throw fail(`expected kind ${original.kind}, got ${converted.kind}`);
  for (const name of ["name", "namespace", "uid"] as const) {
    if ((converted.metadata?.[name] ?? "") !== (original.metadata[name] ?? "")) {
      throw fail(`metadata.${name} may not change`);
    }
  }
  const { labels: _labels, annotations: _annotations, ...metadata } = original.metadata;
  const { labels, annotations } = converted.metadata;
  return {
    ...converted,
    metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
};

/** Checks what a converter gives back. Objects that have the wanted version already are not given to it. */
export const checkedConverter =
  (convert: Converter): Converter =>
  async (objects, apiVersion) => {
    const pending = objects.filter((object) => object.apiVersion !== apiVersion);
    if (pending.length === 0) return objects;
    const converted = await convert(pending, apiVersion);
    if (converted.length !== pending.length) {
      const why = `expected ${pending.length} objects, got ${converted.length}`;
      throw conversionFailed(pending[0]!.kind, apiVersion, why);
    }
    const results = new Map(pending.map((object, index) => [object, restored(object, converted[index]!, apiVersion)]));
    return objects.map((object) => results.get(object) ?? object);
  };
