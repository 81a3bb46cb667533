import type { KubeObject } from "@capstan/schema";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CacheEvent } from "../cache.ts";
import { ObjectStore } from "./object-store.ts";

const object = (name: string, version: number, uid = name): KubeObject => ({
  apiVersion: "v1",
  kind: "Widget",
  metadata: { namespace: "default", name, uid, resourceVersion: String(version) },
});

const key = (name: string) => ({ namespace: "default", name });

const textOf = (events: readonly CacheEvent<KubeObject>[]): readonly string[] =>
  events.map((event) => {
    const initial = event.type !== "deleted" && event.initial ? " initial" : "";
    return `${event.type} ${event.object.metadata.uid}@${event.object.metadata.resourceVersion}${initial}`;
  });

const listed = (version: number, ...objects: readonly KubeObject[]): ObjectStore<KubeObject> => {
  const store = new ObjectStore<KubeObject>();
  store.beginList();
  for (const each of objects) store.addListed(each);
  store.completeList(String(version));
  return store;
};

describe("lists", () => {
  it("marks the first list, and what a later list does not change, as initial", () => {
    const store = new ObjectStore<KubeObject>();
    store.beginList();
    expect(textOf(store.addListed(object("a", 1)))).toEqual(["added a@1 initial"]);
    expect(store.completeList("5")).toEqual([]);
    store.beginList();
    expect(textOf(store.addListed(object("a", 1)))).toEqual(["updated a@1 initial"]);
    expect(textOf(store.addListed(object("b", 6)))).toEqual(["added b@6"]);
    expect(textOf(store.completeList("7"))).toEqual([]);
    store.beginList();
    expect(textOf(store.addListed(object("a", 8)))).toEqual(["updated a@8"]);
    expect(textOf(store.completeList("9"))).toEqual(["deleted b@6"]);
  });

  it("reports a new object under an old name as a delete and an add", () => {
    const store = listed(5, object("a", 1, "first"));
    expect(textOf(store.apply(object("a", 7, "second")))).toEqual(["deleted first@1", "added second@7"]);
  });

  it("removes nothing for a list that never became complete", () => {
    const store = listed(5, object("a", 1), object("b", 2));
    store.beginList();
    store.addListed(object("a", 1));
    store.beginList();
    expect(store.list()).toHaveLength(2);
  });
});

describe("own writes", () => {
  it("show at once and are not undone by older events or lists", () => {
    const store = listed(5, object("a", 1));
    expect(textOf(store.observe(object("a", 9)))).toEqual(["updated a@9"]);
    expect(store.apply(object("a", 7))).toEqual([]);
    store.beginList();
    expect(store.addListed(object("a", 7))).toEqual([]);
    expect(store.completeList("8")).toEqual([]);
    expect(store.apply(object("a", 9))).toEqual([]);
    expect(textOf(store.apply(object("a", 10)))).toEqual(["updated a@10"]);
  });

  it("stay when the list is older than they are, and go when it is newer", () => {
    const store = listed(5);
    store.observe(object("a", 9));
    store.beginList();
    expect(store.completeList("8")).toEqual([]);
    store.beginList();
    expect(textOf(store.completeList("9"))).toEqual(["deleted a@9"]);
  });

  it("are ignored when the watch is already past them", () => {
    const store = listed(5);
    store.apply(object("a", 7));
    store.remove(object("a", 8));
    expect(store.observe(object("a", 7))).toEqual([]);
    store.advance("20");
    expect(store.observe(object("b", 19))).toEqual([]);
    expect(textOf(store.observe(object("b", 21)))).toEqual(["added b@21"]);
  });

  it("are left to the watch when versions cannot be compared", () => {
    const store = listed(5, object("a", 1));
    expect(
      store.observe({ ...object("a", 9), metadata: { ...object("a", 9).metadata, resourceVersion: "x9" } }),
    ).toEqual([]);
  });

  it("delete for good: neither an older event nor an older list brings the object back", () => {
    const store = listed(5, object("a", 1));
    expect(textOf(store.observeDeleted(key("a"), "a"))).toEqual(["deleted a@1"]);
    expect(store.apply(object("a", 6))).toEqual([]);
    store.beginList();
    expect(store.addListed(object("a", 6))).toEqual([]);
    store.completeList("6");
    expect(store.observe(object("a", 7))).toEqual([]);
    expect(store.remove(object("a", 8))).toEqual([]);
    expect(textOf(store.apply(object("a", 9, "next")))).toEqual(["added next@9"]);
  });
});

const byOwner = (each: KubeObject): readonly string[] => [String(each["owner"])];
const owned = (name: string, version: number, owner: string): KubeObject => ({ ...object(name, version), owner });

it("knows from a new object under an old name that the old one is gone", () => {
  const store = listed(5, object("a", 1, "first"));
  expect(textOf(store.observe(object("a", 9, "second")))).toEqual(["deleted first@1", "added second@9"]);
  expect(textOf(store.observeDeleted(key("a"), "second"))).toEqual(["deleted second@9"]);
  expect(store.apply(object("a", 7, "first"))).toEqual([]);
});

describe("indexes", () => {
  it("follow every change and answer by value", () => {
    const store = listed(5, owned("a", 1, "x"), owned("b", 2, "y"));
    store.addIndex("owner", byOwner);
    store.apply(owned("c", 6, "x"));
    store.apply(owned("b", 7, "x"));
    store.remove(owned("a", 8, "x"));
    expect(store.byIndex("owner", "x").map(({ metadata }) => metadata.name)).toEqual(["c", "b"]);
    expect(store.byIndex("owner", "y")).toEqual([]);
    store.addIndex("owner", byOwner);
    expect(() => store.addIndex("owner", () => [])).toThrow("another function");
    expect(() => store.byIndex("cluster", "x")).toThrow("not declared");
  });

  it("leave out an object of which their function can make nothing, and know all others", () => {
    const strict = (each: KubeObject): readonly string[] => [(each["owner"] as string).toUpperCase()];
    const store = listed(5, object("a", 1), owned("b", 2, "x"));
    store.addIndex("strict", strict);
    store.apply(object("c", 6));
    store.apply(owned("d", 7, "x"));
    store.apply(owned("a", 8, "x"));
    expect(store.byIndex("strict", "X").map(({ metadata }) => metadata.name)).toEqual(["b", "d", "a"]);
    expect(store.list()).toHaveLength(4);
  });
});

/** A server, its history, and a client whose watch, lists and answers all lag behind in their own way. */
class Model {
  readonly store = new ObjectStore<KubeObject>();
  readonly events: CacheEvent<KubeObject>[] = [];
  readonly #live = new Map<string, KubeObject>();
  readonly #history: { readonly type: "put" | "delete"; readonly object: KubeObject }[] = [];
  readonly #snapshots = new Map<number, readonly KubeObject[]>();
  readonly #answers: (() => readonly CacheEvent<KubeObject>[])[] = [];
  #version = 100;
  #heard = 100;

  constructor() {
    this.#snapshots.set(100, []);
    this.list(1);
  }

  put(name: string, own: boolean): void {
    const version = ++this.#version;
    const uid = this.#live.get(name)?.metadata.uid ?? `${name}-${version}`;
    const written = object(name, version, uid);
    this.#live.set(name, written);
    this.#record("put", written);
    if (!own) return;
    this.#answers.push(() => {
      const events = this.store.observe(written);
      // Read-your-writes: it shows, or something newer does, or it is gone on the server.
      const shown = Number(this.store.get(key(name))?.metadata.resourceVersion ?? 0);
      if (this.#live.get(name)?.metadata.uid === uid) expect(shown).toBeGreaterThanOrEqual(version);
      return events;
    });
  }

  delete(name: string, own: boolean): void {
    const known = this.#live.get(name);
    if (known === undefined) return;
    this.#live.delete(name);
    const uid = known.metadata.uid ?? "";
    this.#record("delete", object(name, ++this.#version, uid));
    if (own) this.#answers.push(() => this.store.observeDeleted(key(name), uid));
  }

  /** Answers may overtake one another and the watch. */
  answer(which: number): void {
    const [answered] = this.#answers.splice(which % Math.max(1, this.#answers.length), 1);
    if (answered !== undefined) this.events.push(...answered());
  }

  hear(count: number): void {
    for (let left = count; left > 0 && this.#heard < this.#version; left--) {
      const change = this.#history[this.#heard - 100];
      this.#heard += 1;
      if (change === undefined) return;
      const { type, object: changed } = change;
      this.events.push(...(type === "put" ? this.store.apply(changed) : this.store.remove(changed)));
    }
  }

  /** A list taken somewhere between what was heard and the present; answers may come while it runs. */
  list(part: number): void {
    const version = this.#heard + Math.floor(part * (this.#version - this.#heard));
    this.store.beginList();
    for (const each of this.#snapshots.get(version) ?? []) {
      this.events.push(...this.store.addListed(each));
      if (part > 0.5) this.answer(0);
    }
    this.events.push(...this.store.completeList(String(version)));
    this.#heard = version;
  }

  settle(): void {
    while (this.#answers.length > 0) this.answer(0);
    this.hear(Number.POSITIVE_INFINITY);
  }

  live(): readonly string[] {
    return [...this.#live.values()].map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`).toSorted();
  }

  #record(type: "put" | "delete", changed: KubeObject): void {
    this.#history.push({ type, object: changed });
    this.#snapshots.set(this.#version, [...this.#live.values()]);
  }
}

const names = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<(model: Model) => void> = fc.oneof(
  fc.tuple(names, fc.boolean()).map(
    ([name, own]) =>
      (model: Model) =>
        model.put(name, own),
  ),
  fc.tuple(names, fc.boolean()).map(
    ([name, own]) =>
      (model: Model) =>
        model.delete(name, own),
  ),
  fc.nat(5).map((which) => (model: Model) => model.answer(which)),
  fc.integer({ min: 1, max: 4 }).map((count) => (model: Model) => model.hear(count)),
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (model: Model) => model.list(part)),
);

it("ends equal to the server and tells every object's life once, in order, without going back", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const model = new Model();
      for (const run of steps) run(model);
      model.settle();
      const shown = model.store.list().map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`);
      expect(shown.toSorted()).toEqual(model.live());
      const lives = new Map<string, { version: number; ended: boolean }>();
      for (const { type, object: changed } of model.events) {
        const uid = changed.metadata.uid ?? "";
        const version = Number(changed.metadata.resourceVersion);
        const life = lives.get(uid);
        expect(life?.ended ?? false).toBe(false);
        expect(type === "added").toBe(life === undefined);
        expect(version).toBeGreaterThanOrEqual(life?.version ?? 0);
        lives.set(uid, { version, ended: type === "deleted" });
      }
    }),
    { numRuns: 5000, seed: 1 },
  );
});
