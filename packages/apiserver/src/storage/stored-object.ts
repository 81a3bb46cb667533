import { jsonText, parseInTurns, parseJson } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import { textInTurns } from "@capstan/evaluation";

/** Freezing the object of a longer text takes as long as parsing it: such an object is left as it is. */
const longestFrozen = 2 ** 16;

const deepFreeze = (value: unknown): void => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      deepFreeze(member);
    }
  }
};

/** An object to be stored whose text is written already, but for its revision: for large ones, while others are served. */
export interface WrittenObject {
  readonly object: KubeObject;
  /** The text before and after the revision. */
  readonly parts: readonly [before: string, after: string];
}

const stamped = (object: KubeObject, resourceVersion: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});

export const isWritten = (given: KubeObject | WrittenObject): given is WrittenObject =>
  "parts" in given && "object" in given;

/** The text of an object at a revision. */
export const textAt = ({ parts }: WrittenObject, revision: number): string => parts.join(String(revision));

/** Writes the text of an object; while a long one is written, others are served. */
export const writeObject = async (object: KubeObject): Promise<WrittenObject> => {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { resourceVersion: _, ...known } = metadata;
  const head = jsonText({ apiVersion, kind }).slice(0, -1);
  const before = `${head},"metadata":${(await textInTurns(known)).slice(0, -1)},"resourceVersion":"`;
  const members = await textInTurns(rest);
  return { object, parts: [before, members === "{}" ? '"}}' : `"},${members.slice(1)}`] };
};

/** Key inside one store; keys sort as lists do: by namespace, then by name. */
export const storeKey = (namespace: string, name: string): string => (namespace === "" ? name : `${namespace}/${name}`);

/**
 * One state of one object: its JSON text, and the object parsed from it, deeply frozen unless the text is long. The text is what is kept; the object, several
 * times as large, lives as long as someone uses it and is parsed again when it is needed after that.
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
    if (state.object !== undefined) this.#remember(state.object);
  }

  /** The state of `given` at `revision`, which is written into its metadata. */
  static of(namespace: string, name: string, revision: number, given: KubeObject | WrittenObject): StoredObject {
    const object = stamped(isWritten(given) ? given.object : given, String(revision));
    const text = isWritten(given) ? textAt(given, revision) : jsonText(object);
    return new StoredObject({ namespace, name, revision, text, object });
  }

  get object(): KubeObject {
    return this.#object?.deref() ?? this.#remember(parseJson(this.text));
  }

  /** As `object`; while a long text is parsed, others are served. `object` is at hand then, in this turn or as long as
   * someone keeps it. */
  async load(): Promise<KubeObject> {
    return this.#object?.deref() ?? this.#remember(await parseInTurns(this.text));
  }

  #remember(parsed: unknown): KubeObject {
    const object = parsed as KubeObject;
    if (this.text.length <= longestFrozen) deepFreeze(object);
    this.#object = new WeakRef(object);
    return object;
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
