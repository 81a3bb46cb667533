import type { KubeObject } from "@capstan/schema";
import type { CacheEvent, IndexFunction } from "../cache.ts";
import type { ObjectKey } from "../client.ts";
import { ObjectIndexes } from "./object-index.ts";
import { compareVersions, isNewer } from "./resource-version.ts";

interface Entry<T> {
  readonly object: T;
  /** Put here by our own write and not yet seen in the watch: an older event or list must not undo it. */
  readonly own: boolean;
}

const maxTombstones = 4096;

const nameOf = (key: ObjectKey): string => `${key.namespace ?? ""}/${key.name}`;
const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
const versionOf = (object: KubeObject): string | undefined => object.metadata.resourceVersion;
const uidOf = (object: KubeObject): string | undefined => object.metadata.uid;

/**
 * The objects of one kind, and the rules by which lists, watch events and own writes change them. Every method that
 * changes something returns the events of the change, in order.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #byNamespace = new Map<string, Map<string, T>>();
  readonly #indexes = new ObjectIndexes<T>();
  /** What an own write tells to be gone and the watch has not yet reported as gone: its uid, which never comes back, and its last version. */
  readonly #tombstones = new Map<string, string | undefined>();
  #listing: { readonly keys: Set<string>; readonly uids: Set<string> } | undefined;
  /** Every change up to this version is in the store. */
  #position: string | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get position(): string | undefined {
    return this.#position;
  }

  get(key: ObjectKey): T | undefined {
    return this.#entries.get(nameOf(key))?.object;
  }

  list(namespace?: string): readonly T[] {
    if (namespace !== undefined) return [...(this.#byNamespace.get(namespace)?.values() ?? [])];
    return Array.from(this.#entries.values(), (entry) => entry.object);
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
    this.#listing = { keys: new Set(), uids: new Set() };
  }

  /** One object of the list. */
  addListed(object: T): readonly CacheEvent<T>[] {
    const key = keyOf(object);
    const uid = uidOf(object) ?? "";
    this.#listing?.uids.add(uid);
    if (this.#tombstones.has(uid)) return [];
    this.#listing?.keys.add(key);
    const entry = this.#entries.get(key);
    if (entry?.own === true && isNewer(versionOf(entry.object), versionOf(object))) return [];
    return this.#put(object, { own: false, initial: this.#position === undefined });
  }

  /** The list, taken at `version`, is complete: what it did not show is gone. */
  completeList(version: string): readonly CacheEvent<T>[] {
    const listing = this.#listing;
    this.#listing = undefined;
    this.#position = version;
    const events: CacheEvent<T>[] = [];
    for (const [key, entry] of this.#entries) {
      if (listing?.keys.has(key) === true) continue;
      // Written by us after the list was taken: the watch will bring it.
      if (entry.own && isNewer(versionOf(entry.object), version)) continue;
      events.push(...this.#drop(key));
    }
    for (const [uid, last] of this.#tombstones) {
      // Gone at a version at which it is known to have existed before: the watch will not speak of it again.
      const existed = last !== undefined && !isNewer(last, version);
      if (existed && listing?.uids.has(uid) !== true) this.#tombstones.delete(uid);
    }
    return events;
  }

  /** An ADDED or MODIFIED event. */
  apply(object: T): readonly CacheEvent<T>[] {
    this.#moveTo(object);
    const key = keyOf(object);
    const entry = this.#entries.get(key);
    if (this.#tombstones.has(uidOf(object) ?? "")) return [];
    if (entry !== undefined) {
      const order = compareVersions(versionOf(object), versionOf(entry.object)) ?? 1;
      if (order === 0) {
        this.#entries.set(key, { object: entry.object, own: false });
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
    const key = keyOf(object);
    const entry = this.#entries.get(key);
    return entry === undefined || uidOf(entry.object) !== uidOf(object) ? [] : this.#drop(key);
  }

  /** The answer of an own write. */
  observe(written: T): readonly CacheEvent<T>[] {
    const key = keyOf(written);
    const entry = this.#entries.get(key);
    const version = versionOf(written);
    if (this.#tombstones.has(uidOf(written) ?? "")) return [];
    if (entry !== undefined) {
      if (!isNewer(version, versionOf(entry.object))) return [];
      if (uidOf(entry.object) !== uidOf(written)) this.#bury(entry.object);
      return this.#put(written, { own: true, initial: false });
    }
    // Absent although the watch is already past this version: it was deleted in between, or does not belong here.
    return this.#position !== undefined && isNewer(version, this.#position)
      ? this.#put(written, { own: true, initial: false })
      : [];
  }

  observeDeleted(key: ObjectKey, uid: string): readonly CacheEvent<T>[] {
    const known = this.#entries.get(nameOf(key))?.object;
    const object = known !== undefined && uidOf(known) === uid ? known : undefined;
    this.#bury({ metadata: { uid, ...object?.metadata } });
    return object === undefined ? [] : this.#drop(nameOf(key));
  }

  #bury({ metadata: { uid = "", resourceVersion } }: Pick<KubeObject, "metadata">): void {
    this.#tombstones.set(uid, resourceVersion);
    for (const oldest of this.#tombstones.keys()) {
      if (this.#tombstones.size <= maxTombstones) break;
      this.#tombstones.delete(oldest);
    }
  }

  /** What is heard while a list is running says nothing about how far the store is. */
  #moveTo(object: T): void {
    if (this.#listing === undefined) this.#position = versionOf(object) ?? this.#position;
  }

  #put(object: T, { own, initial }: { readonly own: boolean; readonly initial: boolean }): readonly CacheEvent<T>[] {
    const key = keyOf(object);
    const previous = this.#entries.get(key)?.object;
    const same = previous !== undefined && uidOf(previous) === uidOf(object);
    if (same && versionOf(previous) === versionOf(object)) {
      this.#entries.set(key, { object: previous, own });
      return [{ type: "updated", object: previous, previous, initial: true }];
    }
    const replaced = previous === undefined || same ? [] : this.#drop(key);
    this.#entries.set(key, { object, own });
    this.#inNamespace(object).set(key, object);
    this.#indexes.replace(same ? previous : undefined, object);
    return same
      ? [{ type: "updated", object, previous, initial: false }]
      : [...replaced, { type: "added", object, initial }];
  }

  #drop(key: string): readonly CacheEvent<T>[] {
    const object = this.#entries.get(key)?.object;
    if (object === undefined) return [];
    this.#entries.delete(key);
    const namespace = object.metadata.namespace ?? "";
    const siblings = this.#byNamespace.get(namespace);
    siblings?.delete(key);
    if (siblings?.size === 0) this.#byNamespace.delete(namespace);
    this.#indexes.replace(object, undefined);
    return [{ type: "deleted", object }];
  }

  #inNamespace(object: T): Map<string, T> {
    const namespace = object.metadata.namespace ?? "";
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const created = new Map<string, T>();
    this.#byNamespace.set(namespace, created);
    return created;
  }
}
