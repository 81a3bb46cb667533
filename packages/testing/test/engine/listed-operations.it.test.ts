import type { Clock } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import type { ObjectFacts } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConformanceEnvironment } from "../../src/conformance/environment.ts";
import type { RunningManager } from "../../src/conformance/environment.ts";
import { Volume } from "./volume.ts";

interface Listed {
  readonly tag: string;
  readonly state: "detached" | "attached";
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

  make(tag: string): void {
    this.calls.push("make");
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
            if (item === undefined) return absent();
            return item.state === "attached" ? present({}) : pending({ reason: "Detached", step: "attach" });
          },
          create: async ({ api, identity }) => api.make(identity.tag),
          steps: {
            attach: ({ api, identity, operations }) => operations.start("attach", async () => api.attach(identity.tag)),
          },
          remove: ({ api, identity, operations }) => operations.start("remove", async () => api.remove(identity.tag)),
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

it("believes no list from before an operation's end", async () => {
  const cloud = new DiskCloud(environment.clock);
  const namespace = await environment.namespace();
  const key = { namespace, name: "d" };
  const running: RunningManager = await environment.runManager({ providers: [createDiskProvider(cloud)], namespace });
  const volume = { apiVersion: apiVersionOf(Volume), kind: Volume.kind, metadata: key, spec: { size: 1 } };
  await environment.client.create(Volume, volume);
  const isReady = (object?: Volume): boolean => object !== undefined && conditionOf(object, "Ready")?.status === "True";
  await environment.eventually(Volume, key, isReady);
  expect(cloud.calls).toEqual(["make", "attach"]);
  await environment.client.delete(Volume, key);
  await environment.eventually(Volume, key, (object) => object === undefined);
  expect(cloud.calls).toEqual(["make", "attach", "remove"]);
  await running.stop();
});
