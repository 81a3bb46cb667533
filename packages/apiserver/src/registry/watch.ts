import type { ObjectStorage } from "../storage/object-storage.ts";
import { type StoredChange, StoredObject } from "../storage/stored-object.ts";
import type { Selection } from "./selectors.ts";
import { portions } from "./portions.ts";
import { type Served, serve, serveOne } from "./served.ts";
import type { ResourceDefinition } from "../model/types.ts";

/** One event for one watcher. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly served: Served;
  /** Present when the event is the change itself, as all watchers without a selector get it: its encoding may be shared. */
  readonly shared?: StoredChange;
  readonly revision: number;
}

export interface WatchRequest {
  /** Empty for all. */
  readonly namespace: string;
  readonly selection: Selection;
  /** Changes after this revision; `undefined`: everything there is as ADDED, then changes. */
  readonly since: number | undefined;
}

export interface WatchHandlers {
  event(event: WatchEvent): void;
  /** Everything there was at the start has been told; `revision` is the state it makes up. */
  initial(revision: number): void;
  /** The watch ended because an event could not be converted. */
  failed(error: unknown): void;
  /** Resolves when more can be told; asked now and then while the initial state is long. */
  drained(): Promise<void>;
}

/** A watch that runs until it is stopped. */
export interface Watch {
  /** Every change up to this revision has been reported; `undefined` until the initial state is. It never goes back. */
  readonly revision: number | undefined;
  stop(): void;
}

interface Transition {
  readonly type: WatchEvent["type"];
  readonly object: StoredObject;
  readonly shared: boolean;
}

/** The last state with the revision of the change that took it out of sight. */
const lastSight = (change: StoredChange): StoredObject => {
  const { namespace, name, object } = change.previous as StoredObject;
  return StoredObject.of(namespace, name, change.revision, object);
};

/**
 * What a change means to a watcher with a selection: objects enter (ADDED) and leave (DELETED) its sight.
 * `matches` is asked about stored objects.
 */
const transition = (
  change: StoredChange,
  matches: ((object: StoredObject) => boolean) | undefined,
): Transition | undefined => {
  if (matches === undefined) {
    return { type: change.type, object: change.object, shared: true };
  }
  const before = change.previous !== undefined && matches(change.previous);
  const after = change.type !== "DELETED" && matches(change.object);
  if (change.type === "DELETED") {
    return before ? { type: "DELETED", object: change.object, shared: true } : undefined;
  }
  if (after) {
    const type = before ? "MODIFIED" : "ADDED";
    return { type, object: change.object, shared: type === change.type };
  }
  return before ? { type: "DELETED", object: lastSight(change), shared: false } : undefined;
};

const matcher = (selection: Selection): ((object: StoredObject) => boolean) | undefined => {
  const { select } = selection;
  return select === undefined ? undefined : (stored) => select(stored.object);
};

/** Reports to one watcher, in order, although some objects have to be converted first. */
class OrderedReports {
  readonly #definition: ResourceDefinition;
  readonly #handlers: WatchHandlers;
  #reported: number | undefined;
  #stopped = false;
  #failed = false;
  #tail: Promise<void> | undefined;

  constructor(definition: ResourceDefinition, handlers: WatchHandlers, reported: number | undefined) {
    this.#definition = definition;
    this.#handlers = handlers;
    this.#reported = reported;
  }

  /** The revision of the last event, or of the initial state. */
  get reported(): number | undefined {
    return this.#reported;
  }

  /** Not everything that was given has been reported, or it never will be. */
  get isBehind(): boolean {
    return this.#failed || this.#tail !== undefined;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
  }

  change(event: Omit<WatchEvent, "served">, object: StoredObject): void {
    const served = this.isBehind ? undefined : serveOne(this.#definition, object);
    if (served !== undefined && !(served instanceof Promise)) {
      this.#run({ ...event, served });
      this.#reported = event.revision;
      return;
    }
    this.#follow(async () => {
      this.#run({ ...event, served: await (served ?? serveOne(this.#definition, object)) });
      this.#reported = event.revision;
    });
  }

  /** Everything there is, as of a revision. */
  initial(
    present: readonly StoredObject[],
    matches: ((object: StoredObject) => boolean) | undefined,
    revision: number,
  ): void {
    this.#follow(async () => {
      for await (const portion of portions(present, { parsed: matches !== undefined })) {
        const seen = portion.filter((object) => !this.#stopped && matches?.(object) !== false);
        const served = await serve(this.#definition, seen);
        for (const [index, object] of seen.entries()) {
          this.#run({ type: "ADDED", revision: object.revision, served: served[index] as Served });
        }
        await this.#handlers.drained();
      }
      this.#reported = revision;
      this.#handlers.initial(revision);
    });
  }

  #run(event: WatchEvent): void {
    if (!this.#stopped) {
      this.#handlers.event(event);
    }
  }

  /** Does something after everything that is still waiting. */
  #follow(work: () => Promise<void>): void {
    const mine: Promise<void> = (this.#tail ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        this.#stopped = true;
        this.#failed = true;
        this.#handlers.failed(error);
      })
      .finally(() => {
        this.#tail = this.#tail === mine ? undefined : this.#tail;
      });
    this.#tail = mine;
  }
}

/**
 * Starts a watch; `undefined` when history no longer reaches back to `since`. Events are told in order; changes synchronously, once
 * the initial state is told and where no conversion has to be waited for. The caller has waited for the storage to settle.
 */
export const openWatch = (
  storage: ObjectStorage,
  definition: ResourceDefinition,
  request: WatchRequest,
  handlers: WatchHandlers,
): Watch | undefined => {
  const collection = storage.collection(definition.storage.store);
  const { namespace } = request;
  const matches = matcher(request.selection);
  const missed = request.since === undefined ? [] : collection.history.since(request.since);
  if (missed === undefined) {
    return undefined;
  }
  let last = request.since ?? storage.revision;
  const reports = new OrderedReports(definition, handlers, request.since);
  const onChange = (change: StoredChange): void => {
    if (reports.isStopped || change.revision <= last) {
      return;
    }
    last = change.revision;
    if (namespace !== "" && change.object.namespace !== namespace) {
      return;
    }
    const seen = transition(change, matches);
    if (seen !== undefined) {
      const event = { type: seen.type, revision: change.revision };
      reports.change(seen.shared ? { ...event, shared: change } : event, seen.object);
    }
  };

  if (request.since === undefined) {
    reports.initial([...collection.range(namespace)], matches, last);
  } else {
    missed.forEach(onChange);
  }
  const unsubscribe = collection.subscribe(onChange);
  let shown: number | undefined;
  return {
    get revision() {
      const known = reports.isBehind ? reports.reported : Math.max(last, storage.published);
      // While something waits to be converted, the last event may be older than what was shown before there was anything to report.
      shown = known === undefined ? undefined : Math.max(known, shown ?? 0);
      return shown;
    },
    stop: () => {
      reports.stop();
      unsubscribe();
    },
  };
};
