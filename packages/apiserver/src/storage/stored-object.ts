import { jsonText, parseJson } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";

const deepFreeze = (value: unknown): void => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) {
      deepFreeze(member);
    }
  }
};

/** Key inside one store; keys sort as lists do: by namespace, then by name. */
export const storeKey = (namespace: string, name: string): string => (namespace === "" ? name : `${namespace}/${name}`);

/**
 * One state of one object: its JSON text, and the object (deeply frozen) parsed from it. The text is what is kept; the object, several
 * times as large, lives as long as somebody uses it and is parsed again when it is needed after that.
 */
export class StoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  readonly revision: number;
  readonly text: string;
  #object: WeakRef<KubeObject> | undefined;

  constructor(state: {
    readonly namespace: string;
    readonly name: string;
    readonly revision: number;
    readonly text: string;
    readonly object?: KubeObject;
  }) {
    this.namespace = state.namespace;
    this.name = state.name;
    this.key = storeKey(state.namespace, state.name);
    this.revision = state.revision;
    this.text = state.text;
    if (state.object !== undefined) {
      deepFreeze(state.object);
      this.#object = new WeakRef(state.object);
    }
  }

  /** The state of `object` at `revision`, which is written into its metadata. */
  static of(namespace: string, name: string, revision: number, object: KubeObject): StoredObject {
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    return new StoredObject({ namespace, name, revision, text: jsonText(stamped), object: stamped });
  }

  get object(): KubeObject {
    const known = this.#object?.deref();
    if (known !== undefined) {
      return known;
    }
    const parsed = parseJson(this.text) as KubeObject;
    deepFreeze(parsed);
    this.#object = new WeakRef(parsed);
    return parsed;
  }
}

/** One change of one object. */
export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  /** The state after the change; of a deletion, the last state with the deletion's revision. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}
