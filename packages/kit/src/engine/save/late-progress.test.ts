import { silentLogger } from "@capstan/contract";
import type { Environment, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { resource } from "@capstan/schema";
import { type FakeClock, fakeClock } from "@capstan/testing";
import { beforeEach, expect, it } from "vitest";
import { LateProgress } from "./late-progress.ts";

const Thing = resource({ group: "test.capstan.dev", version: "v1", kind: "Thing", plural: "things" });
const thing: KubeObject = {
  apiVersion: "test.capstan.dev/v1",
  kind: "Thing",
  metadata: { namespace: "default", name: "t", resourceVersion: "1" },
};

let clock: FakeClock;
/** Contents of the cache. */
let cached: KubeObject[];
let late: LateProgress;
let written: string[];
let woken: Request[];
let stop: AbortController;

beforeEach(() => {
  clock = fakeClock();
  cached = [thing];
  written = [];
  woken = [];
  stop = new AbortController();
  const environment = { clock, log: silentLogger, cache: { get: () => cached[0] } } as unknown as Environment;
  late = new LateProgress(Thing);
  late.start({ add: (request) => woken.push(request) }, environment, { signal: stop.signal });
});

const hold = (what: string): boolean =>
  late.hold(thing, async (object) => {
    written.push(`${what} on ${object.metadata.resourceVersion}`);
    return { ...object, metadata: { ...object.metadata, resourceVersion: "9" } };
  });

it("writes once, on the object as it is by then", async () => {
  expect(hold("first")).toBe(true);
  cached = [{ ...thing, metadata: { ...thing.metadata, resourceVersion: "2" } }];
  await clock.advance(1499);
  expect(written).toEqual([]);
  await clock.advance(1);
  expect(written).toEqual(["first on 2"]);
  await clock.advance(60_000);
  expect(written).toHaveLength(1);
});

it("writes the newest of several, at the time the first one set", async () => {
  hold("first");
  await clock.advance(1000);
  void late.supersede(thing);
  expect(hold("second")).toBe(true);
  await clock.advance(500);
  expect(written).toEqual(["second on 1"]);
});

it("says what came of a write that is under way as the object is reconciled again, and nothing of one that is over", async () => {
  let end: (() => void) | undefined;
  const after = { ...thing, metadata: { ...thing.metadata, resourceVersion: "2" } };
  late.hold(thing, () => new Promise((resolve) => (end = () => resolve(after))));
  await clock.advance(1500);
  const underWay = late.supersede(thing);
  end?.();
  expect(await underWay).toEqual({ before: thing, after });
  await clock.advance(0);
  expect(late.supersede(thing)).toBeUndefined();
});

it("lets a change through whose time has come while the reconcile ran", async () => {
  hold("first");
  void late.supersede(thing);
  await clock.advance(2000);
  expect(hold("second")).toBe(false);
  expect(written).toEqual([]);
});

it("holds longer where many wait, and each no longer than six seconds", async () => {
  const objects = Array.from({ length: 200 }, (_, index) => ({
    ...thing,
    metadata: { ...thing.metadata, name: `t${index}` },
  }));
  for (const object of objects) {
    late.hold(object, async (present) => {
      written.push(object.metadata.name ?? "");
      return present;
    });
  }
  await clock.advance(1500);
  expect(written, "a few wait no longer").toEqual(objects.slice(0, 11).map(({ metadata }) => metadata.name));
  await clock.advance(2000);
  expect(written).toHaveLength(31);
  await clock.advance(2500);
  expect(written).toHaveLength(200);
});

it("begins anew once everything was said", async () => {
  hold("first");
  void late.supersede(thing);
  await clock.advance(2000);
  late.settle(thing);
  expect(hold("second")).toBe(true);
});

it("writes nothing about an object that is gone, and nothing after the controller stopped", async () => {
  hold("first");
  cached = [];
  await clock.advance(1500);
  cached = [thing];
  hold("second");
  stop.abort();
  await clock.advance(1500);
  expect(written).toEqual([]);
  expect(hold("third")).toBe(false);
  expect(clock.pending).toBe(0);
});

it("wakes the object when the write fails", async () => {
  late.hold(thing, () => Promise.reject(new Error("conflict")));
  await clock.advance(1500);
  expect(woken).toEqual([{ namespace: "default", name: "t" }]);
});

it("wakes the object for what can only be worked out anew, and holds it back no more", async () => {
  expect(late.hold(thing)).toBe(true);
  await clock.advance(1500);
  expect(woken).toEqual([{ namespace: "default", name: "t" }]);
  expect(late.hold(thing)).toBe(false);
});

it("holds nothing back after a write that failed, until one succeeds: its failures belong to the reconcile", async () => {
  late.hold(thing, () => Promise.reject(new Error("the API server is not there")));
  await clock.advance(1500);
  expect(woken).toHaveLength(1);
  expect(hold("again")).toBe(false);
  late.settle(thing);
  expect(hold("later")).toBe(true);
});
