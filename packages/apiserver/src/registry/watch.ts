import type { Collection } from "../storage/collection.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import { type StoredChange, StoredObject } from "../storage/stored-object.ts";
import type { Turn } from "./fair-turns.ts";
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
  /** Asked before something is told; a watcher that waits for it is told the rest from history. */
  readonly turn: Turn;
}

export interface WatchHandlers {
  event(event: WatchEvent): void;
  /** A part of what was there at the start, all of it ADDED. */
  present(objects: readonly Served[]): void;
  /** Everything there was at the start has been told; `revision` is the state it makes up. */
  initial(revision: number): void;
  /** The watch ended because an event could not be converted. */
  failed(error: unknown): void;
  /** The watch ended because history reaches back to `floor` alone, and not to `revision`, up to which everything is told. */
  expired(revision: number, floor: number): void;
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
 * Translates a change for a watcher with a selection: objects enter (ADDED) and leave (DELETED) the selection.
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

/** Events for a watcher that has waited, in one turn. */
const mostOfTurn = 32;
const mostCharactersOfTurn = 2 ** 20;

/** Everything that a watch works with. */
interface WatchParts {
  readonly storage: ObjectStorage;
  readonly collection: Collection;
  readonly definition: ResourceDefinition;
  readonly request: WatchRequest;
  readonly handlers: WatchHandlers;
}

/** The state of one watcher. Events that have to wait are not kept for it, but read from history when its turn comes. */
class Progress {
  readonly #parts: WatchParts;
  readonly #matches: ((object: StoredObject) => boolean) | undefined;
  /** Every change up to this one has been told, or is out of sight. */
  #told: number;
  /** The latest change that may be told. */
  #latest: number;
  #hasBegun: boolean;
  #isBusy = false;
  #isStopped = false;
  #hasFailed = false;

  constructor(parts: WatchParts) {
    const { request, storage } = parts;
    this.#parts = parts;
    this.#matches = matcher(request.selection);
    this.#told = request.since ?? storage.revision;
    this.#latest = this.#told;
    this.#hasBegun = request.since !== undefined;
  }

  /** Everything up to it is told; `undefined` until the initial state is. */
  get revision(): number | undefined {
    if (!this.#hasBegun) return undefined;
    return this.#hasFailed || this.#isBusy ? this.#told : Math.max(this.#told, this.#parts.storage.published);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Tells a durable change, or notes that there is one while the watcher waits. Called in order. */
  change(change: StoredChange): void {
    if (this.#isStopped || change.revision <= this.#latest) return;
    this.#latest = change.revision;
    if (this.#isBusy) return;
    const { turn } = this.#parts.request;
    const mayTell = this.#isElsewhere(change) || turn.hasRoom();
    const told = mayTell ? this.#tell(change) : (turn.wait() ?? Promise.resolve());
    if (told !== undefined) void this.#inOrder(() => told);
  }

  /** Tells everything there is. */
  initial(): void {
    const { collection, definition, handlers, request } = this.#parts;
    const { namespace, turn } = request;
    const present = [...collection.range(namespace)];
    void this.#inOrder(async () => {
      await turn.wait();
      for await (const portion of portions(present, { parsed: this.#matches !== undefined, turn })) {
        const seen = portion.filter((object) => !this.#isStopped && this.#matches?.(object) !== false);
        const served = await serve(definition, seen);
        if (!this.#isStopped && served.length > 0) handlers.present(served);
        await handlers.drained();
      }
      this.#hasBegun = true;
      handlers.initial(this.#told);
    });
  }

  #isElsewhere({ object }: StoredChange): boolean {
    const { namespace } = this.#parts.request;
    return namespace !== "" && object.namespace !== namespace;
  }

  /** Tells the next changes of history, as many as one turn has room for. */
  async #tellMore(): Promise<void> {
    const { collection, handlers } = this.#parts;
    const changes = collection.history.since(this.#told, mostOfTurn);
    if (changes === undefined) {
      this.#isStopped = true;
      this.#hasFailed = true;
      handlers.expired(this.#told, collection.history.floor);
      return;
    }
    let characters = 0;
    for (const change of changes) {
      if (this.#isStopped || change.revision > this.#latest || characters > mostCharactersOfTurn) return;
      await this.#tell(change);
      characters += change.object.text.length;
    }
  }

  /** Returns a promise when the change has to be converted first. */
  #tell(change: StoredChange): Promise<void> | undefined {
    const { revision } = change;
    const seen = this.#isElsewhere(change) ? undefined : transition(change, this.#matches);
    if (seen === undefined) {
      this.#told = revision;
      return undefined;
    }
    const run = (served: Served): void => {
      this.#run({ type: seen.type, revision, served, ...(seen.shared && { shared: change }) });
      this.#told = revision;
    };
    const served = serveOne(this.#parts.definition, seen.object);
    if (served instanceof Promise) return served.then(run);
    run(served);
    return undefined;
  }

  #run(event: WatchEvent): void {
    if (!this.#isStopped) {
      this.#parts.handlers.event(event);
    }
  }

  /** Does what has to be waited for, and then tells what has changed meanwhile. */
  async #inOrder(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await work();
      while (this.#told < this.#latest && !this.#isStopped) {
        await this.#tellMore();
        await (this.#told < this.#latest ? this.#parts.request.turn.wait() : undefined);
      }
    } catch (error) {
      this.#isStopped = true;
      this.#hasFailed = true;
      this.#parts.handlers.failed(error);
    }
    this.#isBusy = false;
  }
}

/**
 * Starts a watch; `undefined` when history no longer reaches back to `since`. Events are told in order; changes synchronously, once
 * the initial state is told, where no conversion has to be waited for, and while the turn of the event loop has room. The caller has
 * waited for the storage to settle.
 */
export const openWatch = (
  storage: ObjectStorage,
  definition: ResourceDefinition,
  request: WatchRequest,
  handlers: WatchHandlers,
): Watch | undefined => {
  const collection = storage.collection(definition.storage.store);
  const missed = request.since === undefined ? [] : collection.history.since(request.since);
  if (missed === undefined) {
    return undefined;
  }
  const progress = new Progress({ storage, collection, definition, request, handlers });
  if (request.since === undefined) {
    progress.initial();
  } else {
    for (const change of missed) progress.change(change);
  }
  const unsubscribe = collection.subscribe((change) => progress.change(change));
  let shown: number | undefined;
  return {
    get revision() {
      const known = progress.revision;
      // While something waits to be converted, the last event may be older than what was shown before there was anything to report.
      shown = known === undefined ? undefined : Math.max(known, shown ?? 0);
      return shown;
    },
    stop: () => {
      progress.stop();
      unsubscribe();
    },
  };
};
