import type { Clock, Retry } from "@capstan/contract";
import { CapstanError } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import type { Progress } from "./observation.ts";
import type { ObjectChanges } from "./save/object-changes.ts";

/** Where the operations of an object are saved: JSON by name. */
export const operationsAnnotation = "capstan.dev/operations";

/** A call that a cloud works on for longer than a request lasts. */
export interface Operation {
  readonly name: string;
  /** By which the cloud knows it: an id or an address, never a secret, since it is saved on the object. */
  readonly handle: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The verb that started it: `create`, `remove`, or the name of a step. */
  readonly verb: string;
}

/** State of an operation. */
export type OperationState =
  | ({ readonly state: "running"; readonly message?: string; readonly pollMs?: number } & Progress)
  | { readonly state: "succeeded" }
  /** As if the verb that started it had thrown. */
  | { readonly state: "failed"; readonly reason: string; readonly message: string; readonly retry: Retry }
  /** The cloud no longer knows it: `observe` sees the result. */
  | { readonly state: "lost" };

/** Starts operations; part of the context of writing verbs. */
export interface Operations {
  /**
   * Makes the call, and saves the handle that it answers before the verb continues. The verb should end then: it is not called again, and
   * nothing is observed, before the operation has ended. After a crash in between, `observe` decides as if it had not been started. A call
   * that answers no handle has ended at once, or cannot be followed: nothing is saved, and `observe` sees what has come of it.
   */
  start(name: string, call: () => Promise<string | undefined>): Promise<void>;
}

type Saved = Readonly<Record<string, Omit<Operation, "name">>>;

/** One object's operations, as far as only this process knows them. */
interface Memory {
  /** Started, and not written yet because the management API failed. */
  unsaved: Saved;
  /** No reason to ask the cloud before. */
  pollAt: number;
  /** Consecutive failures of operations, by name. */
  readonly failures: Map<string, number>;
}

/** Operations known to this process, by uid of the object. */
export class OperationMemory {
  readonly #memories = new Map<string, Memory>();

  of(uid: string): Memory {
    const known = this.#memories.get(uid) ?? { unsaved: {}, pollAt: 0, failures: new Map<string, number>() };
    this.#memories.set(uid, known);
    return known;
  }

  forget(uid: string): void {
    this.#memories.delete(uid);
  }
}

const savedOn = (object: KubeObject): Saved => {
  const text = object.metadata.annotations?.[operationsAnnotation];
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? Object.fromEntries(Object.entries(parsed).flatMap(readOperation)) : {};
  } catch (error) {
    // Another user wrote there: `observe` finds out what exists.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

const readOperation = ([name, entry]: [string, unknown]): readonly (readonly [string, Saved[string]])[] => {
  if (!isJsonObject(entry)) return [];
  const { handle, startedAt, verb } = entry;
  if (typeof handle !== "string" || typeof verb !== "string") return [];
  return [[name, { handle, verb, startedAt: Date.parse(String(startedAt)) }]];
};

const annotationOf = (saved: Saved): MergePatch => {
  const entries = Object.entries(saved).map(([name, { startedAt, ...entry }]) => [
    name,
    { ...entry, startedAt: new Date(startedAt).toISOString() },
  ]);
  const value = entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
  return { metadata: { annotations: { [operationsAnnotation]: value } } };
};

/** The operations of one object in one reconcile. */
export class ObjectOperations<O extends KubeObject> {
  /** One was started in this reconcile. */
  started = false;
  readonly #changes: ObjectChanges<O>;
  readonly #clock: Clock;
  readonly #memory: Memory;
  readonly #declared: boolean;
  #saved: Saved;

  /** `declared`: the author says how operations are polled. */
  constructor(
    changes: ObjectChanges<O>,
    { clock, declared, memory }: { readonly clock: Clock; readonly declared: boolean; readonly memory: Memory },
  ) {
    this.#changes = changes;
    this.#clock = clock;
    this.#declared = declared;
    this.#memory = memory;
    this.#saved = { ...savedOn(changes.object), ...memory.unsaved };
  }

  get all(): readonly Operation[] {
    return Object.entries(this.#saved).map(([name, saved]) => ({ name, ...saved }));
  }

  /** Time left until the cloud shall be asked again. */
  get earlyMs(): number {
    return this.#memory.pollAt - this.#clock.now();
  }

  pollAfter(ms: number): void {
    this.#memory.pollAt = this.#clock.now() + ms;
  }

  /** Returns the API with which the verb of this name starts operations. */
  by(verb: string): Operations {
    return {
      start: async (name, call) => {
        if (!this.#declared) throw notDeclared(this.#changes.object, name);
        const handle = await call();
        if (handle === undefined) return;
        this.#saved = { ...this.#saved, [name]: { handle, startedAt: this.#clock.now(), verb } };
        this.#memory.unsaved = this.#saved;
        this.started = true;
        await this.save();
      },
    };
  }

  /** Writes what could not be written when it was started. */
  async save(): Promise<void> {
    if (Object.keys(this.#memory.unsaved).length === 0) return;
    const record = annotationOf(this.#saved);
    await this.#changes.writeAnyway(record);
    // Instead of what an operation that ended in this reconcile leaves of it.
    this.#changes.merge(record);
    this.#memory.unsaved = {};
  }

  /** The operation has ended; the record goes with the other changes of this reconcile. */
  end(name: string): void {
    const { [name]: _ended, ...others } = this.#saved;
    this.#saved = others;
    this.#changes.merge(annotationOf(others));
  }

  /** Number of consecutive failures, including this one. */
  failed(name: string): number {
    const failures = (this.#memory.failures.get(name) ?? 0) + 1;
    this.#memory.failures.set(name, failures);
    return failures;
  }

  succeeded(name: string): void {
    this.#memory.failures.delete(name);
  }
}

const notDeclared = (object: KubeObject, name: string): CapstanError =>
  new CapstanError({
    code: "kit.operations_not_declared",
    reason: "OperationsNotDeclared",
    message: `${describeObject(object)}: the provider starts the operation "${name}" but does not declare operations, so it cannot be polled; declare operations`,
    retry: { kind: "never" },
  });
