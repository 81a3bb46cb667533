import { silentLogger } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { fakeClock } from "@capstan/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import type { Turn } from "./fair-turns.ts";
import { openWatch } from "./watch.ts";

const configMaps = builtinDefinitions().find(({ plural }) => plural === "configmaps") as ResourceDefinition;
const clock = fakeClock();
const writers = 16;

type Step = "watched" | "other" | "commit" | "convert" | "turn" | "look";

/** A queue of promises that a test resolves one by one. */
const gates = () => {
  const waiting: PromiseWithResolvers<void>[] = [];
  return {
    wait: (): Promise<void> => {
      const gate = Promise.withResolvers<void>();
      waiting.push(gate);
      return gate.promise;
    },
    open: (): void => waiting.shift()?.resolve(),
    get isEmpty() {
      return waiting.length === 0;
    },
  };
};

const atOnce: Turn = { hasRoom: () => true, wait: () => undefined };

interface Scene {
  /** True if the event loop has no room for the watcher until a step of its own. */
  readonly waits: boolean;
  /** True if events have to be converted first, which takes until a step of its own. */
  readonly converts: boolean;
  /** A selector with which only some objects are in sight. */
  readonly selects: boolean;
  readonly fromStart: boolean;
}

const openScene = ({ converts, selects, fromStart, waits }: Scene) => {
  const commits = gates();
  const conversions = gates();
  const turns = gates();
  let durable = 1;
  const storage = new ObjectStorage({
    backend: {
      ...memoryBackend(),
      append: async (rows) => {
        await commits.wait();
        durable = rows.at(-1)?.revision ?? durable;
      },
    },
    clock,
    log: silentLogger,
  });
  const convert = async (objects: readonly KubeObject[]): Promise<readonly KubeObject[]> => {
    await conversions.wait();
    return objects.map((object) => ({ ...object }));
  };
  const definition: ResourceDefinition = converts
    ? { ...configMaps, storage: { ...configMaps.storage, apiVersion: "v0", fromStorage: convert } }
    : configMaps;
  const events: number[] = [];
  const selection = {
    name: undefined,
    select: selects ? ({ metadata }: KubeObject) => metadata.name?.endsWith("1") === true : undefined,
  };
  const watch = openWatch(
    storage,
    definition,
    {
      namespace: "",
      selection,
      since: fromStart ? undefined : 1,
      turn: waits ? { hasRoom: () => false, wait: turns.wait } : atOnce,
    },
    {
      event: ({ revision }) => events.push(revision),
      present: (objects) => events.push(...objects.map(({ object }) => Number(object.metadata.resourceVersion))),
      initial: () => undefined,
      failed: (error) => expect.unreachable(String(error)),
      expired: (revision) => expect.unreachable(`expired at ${revision}`),
      drained: () => Promise.resolve(),
    },
  );
  const written: { readonly revision: number; readonly visible: boolean }[] = [];
  const write = (store: "watched" | "other", writer: number): void => {
    const collection = storage.collection(store === "watched" ? configMaps.storage.store : "other");
    const name = `w-${writer}`;
    const object: KubeObject = { apiVersion: converts ? "v0" : "v1", kind: "ConfigMap", metadata: { name } };
    const present = collection.get("", name);
    const { change } = present === undefined ? collection.create("", name, object) : collection.update(present, object);
    if (store === "watched") {
      written.push({ revision: change.revision, visible: !selects || name.endsWith("1") });
    }
  };
  return {
    storage,
    commits,
    conversions,
    turns,
    events,
    watch,
    write,
    written,
    get durable() {
      return durable;
    },
  };
};

const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step>("watched", "other", "commit", "convert", "turn", "look"),
    fc.integer({ min: 0, max: writers - 1 }),
  ),
  { minLength: 5, maxLength: 60 },
);
const scenes = fc.record({
  converts: fc.boolean(),
  selects: fc.boolean(),
  fromStart: fc.boolean(),
  waits: fc.boolean(),
});

const play = async (scene: Scene, plan: readonly (readonly [Step, number])[]): Promise<void> => {
  const run = openScene(scene);
  await clock.settle();
  let highest = 0;
  const look = (): void => {
    const shown = run.watch?.revision;
    // Until the initial state has had its turn, nothing is known.
    const mayBeUnknown = scene.fromStart && scene.waits && highest === 0;
    expect(shown !== undefined || mayBeUnknown).toBe(true);
    const revision = shown ?? 0;
    expect(revision, "goes back").toBeGreaterThanOrEqual(highest);
    expect(revision, "is below an event").toBeGreaterThanOrEqual(Math.max(0, ...run.events));
    expect(revision, "is not durable").toBeLessThanOrEqual(run.durable);
    const missing = run.written.filter((write) => write.visible && write.revision <= revision);
    expect(run.events, "promises too much").toEqual(expect.arrayContaining(missing.map((write) => write.revision)));
    highest = revision;
  };
  for (const [step, writer] of plan) {
    if (step === "look") {
      look();
    } else if (step === "commit") {
      run.commits.open();
    } else if (step === "convert") {
      run.conversions.open();
    } else if (step === "turn") {
      run.turns.open();
    } else {
      run.write(step, writer);
    }
    await clock.settle();
  }
  while (!run.commits.isEmpty || !run.conversions.isEmpty || !run.turns.isEmpty) {
    run.turns.open();
    run.commits.open();
    run.conversions.open();
    await clock.settle();
    look();
  }
  await run.storage.settled();
  look();
  expect(run.watch?.revision).toBe(run.storage.revision);
  expect(run.events).toEqual(run.written.filter(({ visible }) => visible).map(({ revision }) => revision));
};

describe("the revision that a watch has reached", () => {
  it("never goes back, and never promises what was not reported, while 16 writers write", async () => {
    await fc.assert(fc.asyncProperty(scenes, steps, play), { seed: 7, numRuns: 300 });
  });

  it("is no later than the last event when a conversion fails", async () => {
    const { storage, conversions, commits } = openScene({
      converts: false,
      selects: false,
      fromStart: false,
      waits: false,
    });
    const definition: ResourceDefinition = {
      ...configMaps,
      storage: {
        ...configMaps.storage,
        apiVersion: "v0",
        fromStorage: async () => {
          await conversions.wait();
          throw new Error("no conversion");
        },
      },
    };
    const failures: unknown[] = [];
    const watch = openWatch(
      storage,
      definition,
      { namespace: "", selection: { name: undefined, select: undefined }, since: 1, turn: atOnce },
      {
        event: () => expect.unreachable("nothing can be reported"),
        present: () => expect.unreachable("there is nothing"),
        initial: () => undefined,
        expired: () => expect.unreachable("history is long enough"),
        failed: (error) => failures.push(error),
        drained: () => Promise.resolve(),
      },
    );
    storage.collection(configMaps.storage.store).create("", "x", {
      apiVersion: "v0",
      kind: "ConfigMap",
      metadata: { name: "x" },
    });
    await clock.settle();
    commits.open();
    await clock.settle();
    conversions.open();
    await clock.settle();
    expect(failures).toHaveLength(1);
    expect(storage.published).toBe(2);
    expect(watch?.revision).toBe(1);
  });
});
