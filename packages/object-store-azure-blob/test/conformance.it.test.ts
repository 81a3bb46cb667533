import { systemClock } from "@capstan/runtime";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountKey, simulatedBlob } from "./simulated-blob.ts";
import { subjectOf } from "./subject.ts";

let blob: Awaited<ReturnType<typeof simulatedBlob>>;
beforeAll(async () => {
  blob = await simulatedBlob(systemClock);
});
afterAll(() => blob[Symbol.asyncDispose]());

objectStoreConformance(
  { afterAll, beforeAll, describe, it },
  subjectOf(
    { url: () => blob.served.url, account: "acme1", accountKey },
    { "20 leaves no version behind": "neither the simulation nor the store keeps versions" },
  ),
);

it("sends nothing that the service does not know, and shows no signature to who reads its log", () => {
  expect(blob.served.requests.violations).toEqual([]);
  expect(JSON.stringify(blob.served.requests.log)).not.toMatch(/[?&"]sig=/);
});
