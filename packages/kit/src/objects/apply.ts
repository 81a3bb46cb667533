import { Annotation } from "@capstan/contract";
import { effectivePatch, withOwnerReference } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { ReconcileContext } from "@capstan/runtime";
import { isJsonObject, type KubeObject, type Resource } from "@capstan/schema";
import { fnv1a, keyOf } from "@capstan/kube-values";
import type { KnownKeys } from "./field-ownership.ts";
import { asApplied, fieldOwnership, takesBack } from "./field-ownership.ts";

/** Sends server-side apply only when it can change something. */
export interface Applier {
  /**
   * Makes the object say what `body` says and takes back what an earlier apply of this manager said and this one does
   * not. Only the server knows the latter, so it is asked about an object with more in it than `body`, once per content
   * of `body` and process. Creates the object when `actual` is `undefined`.
   */
  apply<T extends KubeObject>(
    store: Pick<ReconcileContext, "client">,
    kind: Resource<T>,
    manager: string,
    actual: T | undefined,
    body: KubeObject,
    known?: KnownKeys,
  ): Promise<T>;
  /** Forgets an object that is on its way out. */
  forget(uid: string): void;
}

/** Returns whether any map or struct that `body` writes to has entries in addition to those of `body`. */
const hasMore = (actual: unknown, body: Readonly<Record<string, unknown>>): boolean =>
  isJsonObject(actual) &&
  (Object.keys(actual).some((key) => body[key] === undefined) ||
    Object.entries(body).some(([key, value]) => isJsonObject(value) && hasMore(actual[key], value)));

/** The parts of an object that an apply body may say something about, without what the server or others put there. */
const comparable = (object: KubeObject): Readonly<Record<string, unknown>> => ({
  labels: object.metadata.labels ?? {},
  annotations: object.metadata.annotations ?? {},
  spec: object["spec"] ?? {},
});

/** Returns whether the object names every owner as `body` does: in the present API version, too, or the garbage collector may lose it one day. */
const isOwnedAs = ({ metadata }: KubeObject, body: KubeObject): boolean =>
  (body.metadata.ownerReferences ?? []).every((owner) => {
    const references = metadata.ownerReferences ?? [];
    return withOwnerReference(references, owner) === references;
  });

export interface ApplierOptions {
  /** Fields of spec that later applies change; all others are as they were made. */
  readonly spec: readonly string[];
  /** Objects were created under the manager's name by a plain request; labels and annotations of it are the manager's. */
  readonly createdPlainly?: boolean;
}

interface Application {
  readonly client: Client;
  readonly kind: Resource;
  readonly manager: string;
  readonly body: KubeObject;
  readonly known: KnownKeys;
}

const noKeys: KnownKeys = { labels: [], annotations: [] };

/** Where our own providers keep notes, and what a control plane finds out about its configs: never part of an apply. */
const isNote = (annotation: string): boolean =>
  annotation.startsWith("capstan.dev/") || annotation === Annotation.certificatesExpiry;

const filtered = (values: unknown, keep: (key: string) => boolean): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => keep(key)));

export const createApplier = (options: ApplierOptions): Applier => {
  /** Hashes of what objects are known to say, and to say no more of, by uid. */
  const applied = new Map<string, number>();

  const compare = (actual: KubeObject, body: KubeObject, known: KnownKeys): "same" | "more" | "other" => {
    const wanted = comparable(body);
    if (effectivePatch(comparable(actual), wanted) !== undefined || !isOwnedAs(actual, body)) return "other";
    const own = {
      labels: filtered(actual.metadata.labels, (key) => !known.labels.includes(key)),
      annotations: filtered(actual.metadata.annotations, (key) => !known.annotations.includes(key) && !isNote(key)),
      spec: filtered(actual["spec"], (key) => options.spec.includes(key)),
    };
    return hasMore(own, wanted) ? "more" : "same";
  };

  /** Returns whether to apply: for what is other, or for what there is to take back. Only the server knows that, and first has to know whose it is. */
  const isDue = async ({ client, kind, manager, body, known }: Application, isOther: boolean): Promise<boolean> => {
    if (isOther && options.createdPlainly !== true) return true;
    const live = await client.get(kind, keyOf(body));
    const present = fieldOwnership(live);
    const managedFields = options.createdPlainly === true ? asApplied(present, manager, known) : present;
    const isSurplus = takesBack(managedFields, manager, body);
    const { resourceVersion } = live.metadata;
    if (isSurplus && managedFields !== present) {
      await client.patch(kind, keyOf(body), { type: "merge", body: { metadata: { resourceVersion, managedFields } } });
    }
    return isOther || isSurplus;
  };

  return {
    apply: async ({ client }, kind, manager, actual, body, known = noKeys) => {
      const hash = fnv1a(JSON.stringify(body));
      if (actual !== undefined) {
        const { uid = "" } = actual.metadata;
        const verdict = compare(actual, body, known);
        if (verdict === "same" || (verdict === "more" && applied.get(uid) === hash)) return actual;
        if (!(await isDue({ client, kind, manager, body, known }, verdict === "other"))) {
          applied.set(uid, hash);
          return actual;
        }
      }
      const patch = { type: "apply", body: { ...body }, force: true } as const;
      const answer = await client.patch(kind, keyOf(body), patch, { fieldManager: manager });
      applied.set(answer.metadata.uid ?? "", hash);
      return answer;
    },
    forget: (uid) => void applied.delete(uid),
  };
};
