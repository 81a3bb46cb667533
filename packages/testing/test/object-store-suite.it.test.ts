import { afterAll, beforeAll, describe, it } from "vitest";
import { objectStoreConformance } from "../src/conformance.ts";
import { SignedStore } from "../src/signed-store.ts";

let server: SignedStore;
const now = Date.UTC(2030, 0, 1);
beforeAll(async () => {
  server = await SignedStore.start(() => now);
});
afterAll(() => server[Symbol.asyncDispose]());

const inMemory = "a store in memory has no network to be disturbed";
objectStoreConformance(
  { afterAll, beforeAll, describe, it },
  {
    open: async () => server.open(),
    secrets: ["signing-key-of-the-store", "another-key"],
    expiryParameter: "e",
    openWithClockOffset: async (offsetMs) => server.open({ offsetMs }),
    openWithWrongCredentials: async () => server.open({ accessKey: "another-key" }),
    versionsLeft: async (key) => (server.objects.has(key) ? 1 : 0),
    skip: {
      "08 deletes in a bucket that does not exist": "there is only one bucket",
      "10 deletes although it may not look": "there are no single permissions",
      "11 is unavailable when nobody listens": inMemory,
      "12 times out when nobody answers": inMemory,
      "13 stops when cancelled": inMemory,
      "14 tries again after a passing failure": inMemory,
    },
  },
);
