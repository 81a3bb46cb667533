import type { KubeObject } from "@capstan/schema";

/** Which key a Secret holds. */
export interface KeyRecord {
  /** Id at Linode. */
  readonly id: number;
  /** `spec.keyGeneration` it was made for. */
  readonly generation: number;
  /** RFC 3339. */
  readonly created: string;
}

const annotation = "capstan.dev/object-storage-key";

export const keyRecordAnnotations = (record: KeyRecord): Readonly<Record<string, string>> => ({
  [annotation]: JSON.stringify(record),
});

/** Parses the record of a key in a Secret; `undefined` when the Secret is for no key, or its record was damaged. */
export const keyRecordOf = ({ metadata }: KubeObject): KeyRecord | undefined => {
  try {
    const read = JSON.parse(metadata.annotations?.[annotation] ?? "null") as Partial<KeyRecord> | null;
    if (typeof read?.id !== "number" || typeof read.generation !== "number") return undefined;
    return { id: read.id, generation: read.generation, created: read.created ?? "" };
  } catch {
    return undefined;
  }
};
