import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { ObjectStore } from "@capstan/contract/v1";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { systemClock } from "@capstan/runtime";
import { seededRandom } from "@capstan/testing";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { createLinodeSimulator } from "../src/index.ts";
import type { LinodeSimulator } from "../src/index.ts";

const keys = [{ accessKey: "AK", secretKey: "right-secret-value" }];
const buckets = [{ label: "data", region: "us-ord" }];
const clockAt = (offsetMs: number) => ({ ...systemClock, now: () => systemClock.now() + offsetMs });

let simulator: LinodeSimulator;
beforeAll(async () => {
  const options = { clock: systemClock, random: seededRandom(process.pid), seed: { buckets, keys } };
  simulator = await createLinodeSimulator(options);
  await simulator.start();
});
afterAll(() => simulator.stop());

const open = (change: Readonly<Record<string, string>> = {}, offsetMs = 0): ObjectStore =>
  s3ObjectStores({ clock: clockAt(offsetMs) }).open({
    bucket: "data",
    endpoint: simulator.objectStorage.url,
    access: "AK",
    secret: "right-secret-value",
    ...change,
  });

/** Accepts connections and says nothing. */
const silent = createServer(() => undefined);
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", resolve);
    }),
);
afterAll(
  () =>
    new Promise<void>((resolve) => {
      silent.closeAllConnections();
      silent.close(() => resolve());
    }),
);

describe("the simulated object storage", () => {
  objectStoreConformance(
    { afterAll, beforeAll, describe, it },
    {
      open: async () => open(),
      secrets: ["right-secret-value", "wrong-secret-value"],
      expiryParameter: "X-Amz-Expires",
      openWithClockOffset: async (offsetMs) => open({}, offsetMs),
      openMissingBucket: async () => open({ bucket: "missing-bucket" }),
      openWithWrongCredentials: async () => open({ secret: "wrong-secret-value" }),
      openWithoutHead: async () => {
        simulator.objectStorage.faults.add({ method: "HEAD", action: { kind: "status", status: 403 } });
        return open();
      },
      openUnreachable: async () => open({ endpoint: "http://127.0.0.1:1" }),
      openHanging: async () => {
        const { port } = silent.address() as AddressInfo;
        const impatient = s3ObjectStores({ clock: systemClock, requestTimeoutMs: 200, maxAttempts: 1 });
        const data = { bucket: "data", endpoint: `http://127.0.0.1:${port}`, access: "AK", secret: "x" };
        return { store: impatient.open(data), hurry: async () => undefined };
      },
      openFailingFirst: async (times) => {
        simulator.objectStorage.faults.add({ times, action: { kind: "status", status: 503, reason: "SlowDown" } });
        return open();
      },
      skip: { "20 leaves no version behind": "neither the simulation nor the store keeps versions" },
    },
  );
});
