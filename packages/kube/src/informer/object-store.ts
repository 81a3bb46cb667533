import { type ObjectKey, keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { CacheEvent, IndexFunction } from "../cache.ts";
import { ObjectIndexes } from "./object-index.ts";
import { compareVersions, isNewer } from "./resource-version.ts";

interface Entry<T> {
  readonly object: T;
  /** Put here by our own write and not yet seen in the watch: an older event or list must not undo it. */
  readonly own: boolean;
  /** The list that showed it last, or an object of that name before it; they are counted from 1. */
  readonly list: number;
}

/** The fields of an entry that may change while its object stays. */
type State = Partial<Pick<Entry<unknown>, "own" | "list">>;

/** A list that is being read. */
interface Listing {
  readonly number: number;
  /** Uids that it showed and that an own write made a tombstone. */
  readonly buried: Set<string>;
}

const maxTombstones = 4096;

const versionOf = (object: KubeObject): string | undefined => object.metadata.resourceVersion;
const uidOf = (object: KubeObject): string | undefined => object.metadata.uid;

/**
 * The objects of one kind, and the rules by which lists, watch events and own writes change them. Every method that
 * changes something returns the events of the change, in order.
 */
export class ObjectStore<T extends KubeObject> {
  /** By namespace and name. */
  readonly #entries = new Map<string, Map<string, Entry<T>>>();
  readonly #indexes = new ObjectIndexes<T>();
  /** Objects that an own write has deleted and the watch still shows: the uid, which never returns, and the last version. */
  readonly #tombstones = new Map<string, string | undefined>();
  #size = 0;
  #lists = 0;
  #listing: Listing | undefined;
  /** Every change up to this version is in the store. */
  #position: string | undefined;

  get size(): number {
    return this.#size;
  }

  get position(): string | undefined {
    return this.#position;
  }

  get(key: ObjectKey): T | undefined {
    return this.#find(key)?.object;
  }

  list(namespace?: string): readonly T[] {
    const parts = namespace === undefined ? [...this.#entries.values()] : [this.#entries.get(namespace)];
    return parts.flatMap((entries) => Array.from(entries?.values() ?? [], ({ object }) => object));
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    this.#indexes.declare(name, index, this.list());
  }

  byIndex(name: string, value: string): readonly T[] {
    return this.#indexes.get(name, value);
  }

  /** A bookmark: nothing happened up to this version. */
  advance(version: string): void {
    this.#position = version;
  }

  /** A new list begins; an unfinished one is forgotten. What is listed shows at once, what is missing goes at the end. */
  beginList(): void {
    this.#lists += 1;
    this.#listing = { number: this.#lists, buried: new Set() };
  }

  /** One object of the list. */
  addListed(object: T): readonly CacheEvent<T>[] {
    const uid = uidOf(object) ?? "";
    if (this.#tombstones.has(uid)) {
      this.#listing?.buried.add(uid);
      return [];
    }
    const list = this.#listing?.number ?? 0;
    const entry = this.#find(keyOf(object));
    if (entry?.own === true && isNewer(versionOf(entry.object), versionOf(object))) {
      this.#set(entry.object, { list });
      return [];
    }
    return this.#put(object, { own: false, list, initial: this.#position === undefined });
  }

  /** The list, taken at `version`, is complete: what it did not show is gone. */
  completeList(version: string): readonly CacheEvent<T>[] {
    const listing = this.#listing;
    this.#listing = undefined;
    this.#position = version;
    const events: CacheEvent<T>[] = [];
    for (const entries of this.#entries.values()) {
      for (const { object, own, list } of entries.values()) {
        if (list === listing?.number) continue;
        // Written by us after the list was taken: the watch will bring it.
        if (own && isNewer(versionOf(object), version)) continue;
        events.push(...this.#drop(object));
      }
    }
    for (const [uid, last] of this.#tombstones) {
      // Gone at a version at which it is known to have existed before: the watch will not speak of it again.
      const existed = last !== undefined && !isNewer(last, version);
      if (existed && listing?.buried.has(uid) !== true) this.#tombstones.delete(uid);
    }
    return events;
  }

  /** An ADDED or MODIFIED event. */
  apply(object: T): readonly CacheEvent<T>[] {
    this.#moveTo(object);
    const entry = this.#find(keyOf(object));
    if (this.#tombstones.has(uidOf(object) ?? "")) return [];
    if (entry !== undefined) {
      const order = compareVersions(versionOf(object), versionOf(entry.object)) ?? 1;
      if (order === 0) {
        this.#set(entry.object, { own: false });
        return [];
      }
      // A late event of the object, or of the one that had this name before it.
      if (entry.own && order < 0) return [];
    }
    return this.#put(object, { own: false, initial: false });
  }

  /** A DELETED event; the object carries the version of the deletion. */
  remove(object: T): readonly CacheEvent<T>[] {
    this.#moveTo(object);
    this.#tombstones.delete(uidOf(object) ?? "");
    const entry = this.#find(keyOf(object));
    return entry === undefined || uidOf(entry.object) !== uidOf(object) ? [] : this.#drop(entry.object);
  }

  /** The answer of an own write. */
  observe(written: T): readonly CacheEvent<T>[] {
    const entry = this.#find(keyOf(written));
    const version = versionOf(written);
    if (this.#tombstones.has(uidOf(written) ?? "")) return [];
    if (entry !== undefined) {
      if (!isNewer(version, versionOf(entry.object))) return [];
      if (uidOf(entry.object) !== uidOf(written)) this.#bury(entry);
      return this.#put(written, { own: true, initial: false });
    }
    // Absent although the watch is already past this version: it was deleted in between, or does not belong here.
    return this.#position !== undefined && isNewer(version, this.#position)
      ? this.#put(written, { own: true, initial: false })
      : [];
  }

  observeDeleted(key: ObjectKey, uid: string): readonly CacheEvent<T>[] {
    const entry = this.#find(key);
    if (entry !== undefined && uidOf(entry.object) === uid) {
      this.#bury(entry);
      return this.#drop(entry.object);
    }
    this.#tombstone(uid, undefined);
    return [];
  }

  #bury({ object, list }: Entry<T>): void {
    const uid = uidOf(object) ?? "";
    if (list === this.#listing?.number) this.#listing?.buried.add(uid);
    this.#tombstone(uid, versionOf(object));
  }

  #tombstone(uid: string, lastVersion: string | undefined): void {
    this.#tombstones.set(uid, lastVersion);
    for (const oldest of this.#tombstones.keys()) {
      if (this.#tombstones.size <= maxTombstones) break;
      this.#tombstones.delete(oldest);
    }
  }

  /** Ignores versions heard while a list is running: they do not say how current the store is. */
  #moveTo(object: T): void {
    if (this.#listing === undefined) this.#position = versionOf(object) ?? this.#position;
  }

  #put(object: T, { initial, ...state }: State & { readonly initial: boolean }): readonly CacheEvent<T>[] {
    const previous = this.#find(keyOf(object))?.object;
    const same = previous !== undefined && uidOf(previous) === uidOf(object);
    if (same && versionOf(previous) === versionOf(object)) {
      this.#set(previous, state);
      return [{ type: "updated", object: previous, previous, initial: true }];
    }
    this.#set(object, state);
    this.#indexes.replace(previous, object);
    if (same) return [{ type: "updated", object, previous, initial: false }];
    const added: CacheEvent<T> = { type: "added", object, initial };
    return previous === undefined ? [added] : [{ type: "deleted", object: previous }, added];
  }

  #find({ namespace = "", name }: ObjectKey): Entry<T> | undefined {
    return this.#entries.get(namespace)?.get(name);
  }

  /** Puts the object in its place; of its state, what is not given stays as it was there. */
  #set(object: T, { own, list }: State): void {
    const { namespace, name } = keyOf(object);
    let entries = this.#entries.get(namespace);
    if (entries === undefined) this.#entries.set(namespace, (entries = new Map()));
    const before = entries.get(name);
    if (before === undefined) this.#size += 1;
    entries.set(name, { object, own: own ?? before?.own ?? false, list: list ?? before?.list ?? 0 });
  }

  #drop(object: T): readonly CacheEvent<T>[] {
    const { namespace, name } = keyOf(object);
    const entries = this.#entries.get(namespace);
    if (entries?.delete(name) !== true) return [];
    if (entries.size === 0) this.#entries.delete(namespace);
    this.#size -= 1;
    this.#indexes.replace(object, undefined);
    return [{ type: "deleted", object }];
  }
}
