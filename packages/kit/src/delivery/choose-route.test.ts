import { gunzipSync } from "node:zlib";
import type { BootstrapData, DeliveryPlace, DeliveryRoute, UserData } from "@capstan/contract/v1";
import { describe, expect, it } from "vitest";
import { chooseRoute, measuredBytes } from "./choose-route.ts";
import { gzip } from "./gzip.ts";
import { secretReference } from "./secret-reference.ts";
import { pointerTo } from "./store-pointer.ts";
import { gzipped, inline, metadataService, userDataRoutes } from "./user-data-routes.ts";

const same = (length: number): Uint8Array => new Uint8Array(length).fill(97);
/** Does not compress: every two bytes are new. */
const varied = (length: number): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16);
};

const dataOf = (bytes: Uint8Array, format = "cloud-config"): BootstrapData => ({ bytes, format, secret: undefined });
const store = { upload: () => Promise.reject(new Error("nothing is uploaded by a choice")) };
const withStore: DeliveryPlace = { store };
const alone: DeliveryPlace = { store: undefined };

const limit = { limitBytes: 100 };
const plain = userDataRoutes(limit);
const packing = userDataRoutes({ ...limit, gzip: true });
const base64 = userDataRoutes({ ...limit, measure: "base64" });
const failing: DeliveryRoute<"gzip", UserData> = {
  ...gzipped(limit),
  pack: () => {
    throw new Error("no memory");
  },
};
const stackScript = (regionHasMetadata: boolean): DeliveryRoute<"stackscript", { readonly script: string }> => ({
  name: "stackscript",
  limitBytes: 200,
  measure: ({ bytes }) => JSON.stringify({ userdata: Buffer.from(bytes).toString("base64") }).length,
  unavailable: () => (regionHasMetadata ? "the region serves metadata" : undefined),
  deliver: ({ bytes }) => ({ script: Buffer.from(bytes).toString("base64") }),
});

describe("chooseRoute", () => {
  const cases: readonly (readonly [string, readonly DeliveryRoute[], BootstrapData, DeliveryPlace, string])[] = [
    ["one byte below the limit", plain, dataOf(varied(99)), alone, "direct"],
    ["at the limit", plain, dataOf(varied(100)), withStore, "object-store"],
    ["at the limit without a store", plain, dataOf(varied(100)), alone, "bootstrap.too_large"],
    ["small, though a store is there", plain, dataOf(varied(10)), withStore, "direct"],
    ["measured in base64, below", base64, dataOf(varied(72)), alone, "direct"],
    ["measured in base64, at", base64, dataOf(varied(73)), alone, "bootstrap.too_large"],
    ["compressible", packing, dataOf(same(5000)), withStore, "gzip"],
    ["compressible, gzip not asked for", plain, dataOf(same(5000)), withStore, "object-store"],
    ["compressible Ignition", packing, dataOf(same(5000), "ignition"), withStore, "object-store"],
    ["gzip still too large", packing, dataOf(varied(5000)), withStore, "object-store"],
    ["gzip fails", [failing, ...plain], dataOf(same(5000)), withStore, "object-store"],
    ["gzip fails without a store", [failing, ...plain], dataOf(same(5000)), alone, "bootstrap.too_large"],
    [
      "the author's own, in the author's order",
      [stackScript(false), ...plain],
      dataOf(varied(9)),
      alone,
      "stackscript",
    ],
    ["the author's own is not available", [stackScript(true), ...plain], dataOf(varied(9)), alone, "direct"],
    ["the author's own measures more", [stackScript(false), ...plain], dataOf(varied(140)), withStore, "object-store"],
    ["only a way that is closed", [stackScript(true)], dataOf(varied(9)), alone, "bootstrap.no_route"],
    ["only another format", [gzipped(limit)], dataOf(same(9), "ignition"), alone, "bootstrap.format_unsupported"],
    ["no way at all", [], dataOf(same(9)), alone, "bootstrap.no_route"],
    ["a metadata service has no limit", [metadataService()], dataOf(varied(1_000_000)), alone, "metadata-service"],
    [
      "a reader of the Secret needs no bytes",
      [secretReference()],
      dataOf(varied(1_000_000)),
      alone,
      "secret-reference",
    ],
  ];
  for (const [name, routes, data, place, expected] of cases) {
    it(`${name}: ${expected}`, async () => {
      const choosing = chooseRoute(routes, data, place);
      if (expected.includes(".")) return expect(choosing).rejects.toMatchObject({ code: expected });
      const { route, data: chosen } = await choosing;
      expect(route.name).toBe(expected);
      expect(route.name === "gzip" ? new Uint8Array(gunzipSync(chosen.bytes)) : chosen.bytes).toEqual(data.bytes);
      return undefined;
    });
  }

  it("names every route and why it does not take the data", async () => {
    const routes = [stackScript(false), ...packing, failing] as const;
    const choosing = chooseRoute(routes, dataOf(varied(5000)), alone);
    await expect(choosing).rejects.toMatchObject({
      reason: "BootstrapDataTooLarge",
      retry: { kind: "never" },
      message: expect.stringMatching(
        /^bootstrap data of 5000 bytes in format cloud-config cannot be delivered: stackscript: \d+ bytes exceed the limit of 200; direct: 5000 bytes exceed the limit of 100; gzip: packed, \d+ bytes exceed the limit of 100; object-store: the cluster has no object store; configure one; gzip: the data cannot be packed; or reduce the size of the data$/,
      ) as string,
    });
  });

  it("asks nobody whether a way is open that the data does not fit", async () => {
    const asked: string[] = [];
    const asking = { ...inline(limit), unavailable: () => void asked.push("direct") };
    await chooseRoute([asking, ...plain], dataOf(varied(500)), withStore);
    expect(asked).toEqual([]);
  });
});

it("compresses to the same bytes every time, without a time in the header", () => {
  expect(gzip(same(300))).toEqual(gzip(same(300)));
  expect(Array.from(gzip(same(300)).slice(4, 8))).toEqual([0, 0, 0, 0]);
});

it("packs nothing twice", async () => {
  const packed = gzip(varied(500));
  const [, route] = userDataRoutes({ limitBytes: 1000, gzip: true });
  expect(route?.name).toBe("gzip");
  expect(route?.pack?.(packed)).toBe(packed);
});

it.each([
  [0, 0],
  [1, 4],
  [3, 4],
  [4, 8],
])("measures %i raw bytes as %i in base64", (raw, encoded) => {
  expect(measuredBytes(dataOf(same(raw)), { measure: "base64" })).toBe(encoded);
  expect(Buffer.alloc(raw).toString("base64")).toHaveLength(encoded);
});

describe("pointerTo", () => {
  const url = "https://store.example/key?a=1&b=%2F";
  it("is an include file and nothing else for cloud-init", () => {
    expect(Buffer.from(pointerTo(url, "cloud-config", same(3))).toString()).toBe(`#include\n${url}\n`);
  });
  it.each([
    ["keeps the version of the payload", '{"ignition":{"version":"3.4.0"}}', "3.4.0"],
    ["has a version of its own otherwise", "not json", "2.3.0"],
  ])("for Ignition %s", (_case, payload, version) => {
    const { ignition } = JSON.parse(Buffer.from(pointerTo(url, "ignition", Buffer.from(payload))).toString()) as {
      ignition: { version: string; config: { replace: { source: string; verification: { hash: string } } } };
    };
    expect(ignition.version).toBe(version);
    expect(ignition.config.replace.source).toBe(url);
    expect(ignition.config.replace.verification.hash).toMatch(/^sha512-[0-9a-f]{128}$/);
  });
});
