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

/** One state of one object: its JSON text, and the parsed object (deeply frozen) made from it when first needed. */
export class StoredObject {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly text: string;
  #object: KubeObject | undefined;

  constructor(state: {
    readonly namespace: string;
    readonly name: string;
    readonly revision: number;
    readonly text: string;
    readonly object?: KubeObject;
  }) {
    this.namespace = state.namespace;
    this.name = state.name;
    this.revision = state.revision;
    this.text = state.text;
    this.#object = state.object;
    deepFreeze(state.object);
  }

  /** The state of `object` at `revision`, which is written into its metadata. */
  static of(namespace: string, name: string, revision: number, object: KubeObject): StoredObject {
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    return new StoredObject({ namespace, name, revision, text: JSON.stringify(stamped), object: stamped });
  }

  get key(): string {
    return storeKey(this.namespace, this.name);
  }

  get object(): KubeObject {
    if (this.#object === undefined) {
      this.#object = JSON.parse(this.text) as KubeObject;
      deepFreeze(this.#object);
    }
    return this.#object;
  }
}

/** One change of one object. */
export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  /** The state after the change; of a deletion, the last state with the deletion's revision. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
  /** What has been sent to watchers, by the encoder that made it. */
  readonly encodings: Map<object, Buffer>;
}
