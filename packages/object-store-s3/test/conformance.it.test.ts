import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "@capstan/contract/v1";
import { systemClock } from "@capstan/runtime";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { originalServer, scriptedServer, verifyingServer } from "./servers.ts";
import type { StoreServer } from "./servers.ts";

const tools = { afterAll, beforeAll, describe, it };

const servers = {
  s3rver: {
    start: originalServer,
    skip: {
      "03 refuses a GET without a signature": "s3rver lets anybody read",
      "04 refuses a changed signature, key or expiry": "s3rver does not verify signatures",
      "09 names wrong credentials": "s3rver does not verify signatures",
      "17 never mixes two writers": "s3rver writes files in place",
      "18 shows no secret in errors": "s3rver accepts the wrong credentials that would make the errors",
      "19 lists past a thousand keys": "s3rver makes page tokens with a cipher that OpenSSL 3 does not have",
      "25 takes it once": "s3rver does not know conditional writes",
      "26 refuses a GET of the URL for a PUT": "s3rver does not verify signatures",
    },
  },
  "@20minutes/s3rver": {
    start: verifyingServer,
    skip: {
      "03 refuses a GET without a signature": "the fork lets anybody read",
      "17 never mixes two writers": "the fork writes files in place",
      "19 lists past a thousand keys": "the fork takes a list for a wrong signature",
      "25 takes it once": "the fork does not know conditional writes",
    },
  },
} as const;

/** Real servers live in real time; `offsetMs` moves only what the store believes. */
const clockAt = (offsetMs: number) => ({ ...systemClock, now: () => systemClock.now() + offsetMs });

describe.each(Object.entries(servers))("against %s", (_name, { start, skip }) => {
  let server: StoreServer;
  const helpers: AsyncDisposable[] = [];
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    for (const helper of [server, ...helpers]) await helper[Symbol.asyncDispose]();
  });

  const open = (change: Readonly<Record<string, string>> = {}, offsetMs = 0): ObjectStore =>
    s3ObjectStores({ clock: clockAt(offsetMs) }).open({
      bucket: "data",
      endpoint: server.url,
      access: "S3RVER",
      secret: "S3RVER",
      ...change,
    });
  const behind = async (...reply: Parameters<typeof scriptedServer>): Promise<string> => {
    const helper = await scriptedServer(...reply);
    helpers.push(helper);
    return helper.url;
  };

  objectStoreConformance(tools, {
    open: async () => open(),
    secrets: ["wrong-secret-value"],
    expiryParameter: "X-Amz-Expires",
    openWithClockOffset: async (offsetMs) => open({}, offsetMs),
    openMissingBucket: async () => open({ bucket: "missing-bucket" }),
    openWithWrongCredentials: async () => open({ secret: "wrong-secret-value" }),
    openWithoutHead: async () =>
      open({
        endpoint: await behind((request, response) => response.writeHead(request.method === "HEAD" ? 403 : 204).end()),
      }),
    openUnreachable: async () => open({ endpoint: "http://127.0.0.1:1" }),
    openHanging: async () => {
      const endpoint = await behind(() => undefined);
      const impatient = s3ObjectStores({ clock: systemClock, requestTimeoutMs: 200, maxAttempts: 1 });
      const store = impatient.open({ bucket: "data", endpoint, access: "S3RVER", secret: "S3RVER" });
      return { store, hurry: async () => undefined };
    },
    openFailingFirst: async (times) =>
      open({
        endpoint: await behind((_request, response, count) => response.writeHead(count <= times ? 503 : 200).end()),
      }),
    skip: { ...skip, "20 leaves no version behind": "neither server keeps versions" },
  });
});

it("lists by prefix", async () => {
  await using server = await originalServer();
  const store = s3ObjectStores({ clock: systemClock }).open({
    bucket: "listed",
    endpoint: server.url,
    access: "S3RVER",
    secret: "S3RVER",
  });
  for (const key of ["a/1", "a/2", "b/1"]) await store.put(key, Buffer.from("x"));
  expect(await store.list?.("a/")).toEqual({ keys: ["a/1", "a/2"] });
  expect(await store.list?.("c/")).toEqual({ keys: [] });
});
