import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import type { ObjectFacts } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import type { RunningManager } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Volume } from "./volume.ts";

interface Listed {
  readonly tag: string;
  readonly state: "reserved" | "detached" | "attached";
}

const operationMs = 5000;

/** Disks that are attached and removed by operations; a list shows the outcome once they have ended. */
class DiskCloud {
  readonly calls: string[] = [];
  readonly #disks = new Map<string, Listed>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list(): readonly Listed[] {
    return [...this.#disks.values()];
  }

  /** Someone put a disk aside, which is to be used instead of a new one. */
  reserve(tag: string): void {
    this.#disks.set(tag, { tag, state: "reserved" });
  }

  make(tag: string): void {
    this.calls.push("make");
    this.#disks.set(tag, { tag, state: "detached" });
  }

  use(tag: string): void {
    this.calls.push("use");
    this.#disks.set(tag, { tag, state: "detached" });
  }

  attach(tag: string): string {
    return this.#begin("attach", () => this.#disks.set(tag, { tag, state: "attached" }));
  }

  remove(tag: string): string {
    return this.#begin("remove", () => this.#disks.delete(tag));
  }

  isDone(handle: string): boolean {
    return this.#clock.now() >= Number(handle);
  }

  /** The handle is the time at which it ends. */
  #begin(call: string, end: () => void): string {
    this.calls.push(call);
    this.#clock.schedule(operationMs, end);
    return String(this.#clock.now() + operationMs);
  }
}

const { absent, pending, present } = observations();

const createDiskProvider = (cloud: DiskCloud): ProviderV1 =>
  defineProvider({
    name: "infra-disks",
    kinds: [Volume],
    register: (host) =>
      host.add(
        managedObject<Volume, DiskCloud, ObjectFacts, object, Listed>({
          kind: Volume,
          noun: "the disk",
          finalizer: "storage.example.dev/disk",
          connect: () => cloud,
          // So rarely that the list from the beginning of an operation is the last one when it ends.
          inventory: {
            list: async ({ api }) => api.list(),
            tagsOf: ({ tag }) => [tag],
            pollMs: 60_000,
            settledPollMs: 60_000,
          },
          observe: async ({ item }) => {
            if (item === undefined || item.state === "reserved") return absent();
            return item.state === "attached" ? present({}) : pending({ reason: "Detached", step: "attach" });
          },
          create: async ({ api, identity, item }) => (item === undefined ? api.make(identity.tag) : api.use(item.tag)),
          steps: {
            attach: ({ api, identity, operations }) => operations.start("attach", async () => api.attach(identity.tag)),
          },
          remove: async ({ api, item, operations }) => {
            if (item !== undefined) await operations.start("remove", async () => api.remove(item.tag));
          },
          operations: {
            poll: async ({ api, operation }) => ({ state: api.isDone(operation.handle) ? "succeeded" : "running" }),
            pollMs: 2000,
          },
        }),
      ),
  });

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Volume]);
});
afterAll(() => environment.stop());

const isReady = (object?: Volume): boolean => object !== undefined && conditionOf(object, "Ready")?.status === "True";

let cloud: DiskCloud;
let key: { readonly namespace: string; readonly name: string };
let running: RunningManager | undefined;
beforeEach(async () => {
  cloud = new DiskCloud(environment.clock);
  key = { namespace: await environment.namespace(), name: "d" };
});
afterEach(() => running?.stop());

const create = (): Promise<Volume> => {
  const volume = { apiVersion: apiVersionOf(Volume), kind: Volume.kind, metadata: key, spec: { size: 1 } };
  return environment.client.create<Volume>(Volume, volume);
};

const start = async (): Promise<void> => {
  const { namespace } = key;
  running = await environment.runManager({ providers: [createDiskProvider(cloud)], namespace });
};

it("believes no list from before an operation's end", async () => {
  await create();
  await start();
  await environment.eventually(Volume, key, isReady);
  expect(cloud.calls).toEqual(["make", "attach"]);
  await environment.client.delete(Volume, key);
  await environment.eventually(Volume, key, (object) => object === undefined);
  expect(cloud.calls).toEqual(["make", "attach", "remove"]);
});

it("gives every verb what the list shows, also the one that makes", async () => {
  const { metadata } = await create();
  cloud.reserve(`capstan-uid=${metadata.uid}`);
  await start();
  await environment.eventually(Volume, key, isReady);
  expect(cloud.calls).toEqual(["use", "attach"]);
});
