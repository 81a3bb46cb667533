import { silentLogger } from "@capstan/contract";
import { localObjectStores, type LocalObjectStores } from "@capstan/object-store-local";
import { systemClock } from "@capstan/runtime";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { temporaryFolder } from "./folders.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stores: LocalObjectStores;
beforeAll(async () => {
  folder = await temporaryFolder();
  stores = localObjectStores({ clock: systemClock, log: silentLogger, folder: folder.path });
  await stores.server.start();
});
afterAll(async () => {
  await stores.server.stop();
  await folder[Symbol.asyncDispose]();
});

const remote = "nothing lies between the store and its folder";
const open = async () => stores.open({});

objectStoreConformance(
  { afterAll, beforeAll, describe, it },
  {
    open,
    secrets: [],
    expiryParameter: "e",
    openWithClockOffset: async (offsetMs) =>
      localObjectStores({
        clock: { ...systemClock, now: () => systemClock.now() + offsetMs },
        log: silentLogger,
        folder: folder.path,
        address: stores.server.url,
      }).open({}),
    openMissingBucket: async () => stores.open({ bucket: "missing-bucket" }),
    versionsLeft: async (key) => ((await stores.open({}).head(key)) === null ? 0 : 1),
    skip: {
      "09 names wrong credentials": "there are no credentials",
      "10 deletes although it may not look": "who may write the folder may look",
      "11 is unavailable when nobody listens": remote,
      "12 times out when nobody answers": remote,
      "13 stops when cancelled": remote,
      "14 tries again after a passing failure": remote,
      "18 shows no secret in errors": "there are no credentials",
    },
  },
);
