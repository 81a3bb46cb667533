import { effectivePatch } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Store } from "./draft.ts";
import { keyOf } from "./draft.ts";
import { fnv1a } from "./names.ts";

/** Sends server-side apply only when it can change something. */
export interface Applier {
  /**
   * Makes the object say what `body` says and takes back what an earlier apply of this manager said and this one does
   * not. Only the server knows the latter, so an object with more in it than `body` is applied to once per content of
   * `body` and process. Creates the object when `actual` is `undefined`.
   */
  apply<T extends KubeObject>(
    store: Store,
    kind: Resource<T>,
    manager: string,
    actual: T | undefined,
    body: KubeObject,
    known?: KnownKeys,
  ): Promise<T>;
  /** Forgets an object that is on its way out. */
  forget(uid: string): void;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether any map or struct that `body` writes to has entries beside those of `body`. */
const hasMore = (actual: unknown, body: Readonly<Record<string, unknown>>): boolean =>
  isRecord(actual) &&
  (Object.keys(actual).some((key) => body[key] === undefined) ||
    Object.entries(body).some(([key, value]) => isRecord(value) && hasMore(actual[key], value)));

/** The parts of an object that an apply body may say something about, without what the server or others put there. */
const comparable = (object: KubeObject): Readonly<Record<string, unknown>> => ({
  labels: object.metadata.labels ?? {},
  annotations: object.metadata.annotations ?? {},
  spec: object["spec"] ?? {},
});

export interface ApplierOptions {
  /** Fields of spec that later applies change; all others are as they were made. */
  readonly spec: readonly string[];
}

/** Labels and annotations that are known not to come from an apply, so that their presence is no reason for one. */
export interface KnownKeys {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

const noKeys: KnownKeys = { labels: [], annotations: [] };

const filtered = (values: unknown, keep: (key: string) => boolean): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => keep(key)));

export const createApplier = (options: ApplierOptions): Applier => {
  const applied = new Map<string, number>();

  const isDue = (actual: KubeObject, body: KubeObject, hash: number, known: KnownKeys): boolean => {
    const wanted = comparable(body);
    if (effectivePatch(comparable(actual), wanted) !== undefined) return true;
    if (applied.get(actual.metadata.uid ?? "") === hash) return false;
    const own = {
      labels: filtered(actual.metadata.labels, (key) => !known.labels.includes(key)),
      annotations: filtered(actual.metadata.annotations, (key) => !known.annotations.includes(key)),
      spec: filtered(actual["spec"], (key) => options.spec.includes(key)),
    };
    return hasMore(own, wanted);
  };

  return {
    apply: async (store, kind, manager, actual, body, known = noKeys) => {
      const hash = fnv1a(JSON.stringify(body));
      if (actual !== undefined && !isDue(actual, body, hash, known)) return actual;
      const patch = { type: "apply", body: { ...body }, force: true } as const;
      const answer = await store.client.patch(kind, keyOf(body), patch, { fieldManager: manager });
      applied.set(answer.metadata.uid ?? "", hash);
      return answer;
    },
    forget: (uid) => void applied.delete(uid),
  };
};
