import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pointerTo } from "./pointer.ts";
import type { RouteInput } from "./route.ts";
import { chooseRoute, gzip, measuredBytes } from "./route.ts";

const same = (length: number): Uint8Array => new Uint8Array(length).fill(97);
/** Does not compress: every two bytes are new. */
const varied = (length: number): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16);
};
const failing = (): Uint8Array => {
  throw new Error("no memory");
};

const base: Omit<RouteInput, "bytes"> = { format: "cloud-config", limits: { limitBytes: 100 }, hasStore: false };
const gzipped = { limitBytes: 100, gzip: "allowed" } as const;

describe("chooseRoute", () => {
  const cases: readonly (readonly [string, RouteInput, string])[] = [
    ["one byte below the limit", { ...base, bytes: varied(99) }, "direct"],
    ["at the limit", { ...base, bytes: varied(100), hasStore: true }, "object-store"],
    ["at the limit without a store", { ...base, bytes: varied(100) }, "bootstrap.too_large"],
    ["small, though a store is there", { ...base, bytes: varied(10), hasStore: true }, "direct"],
    [
      "measured in base64, below",
      { ...base, bytes: varied(72), limits: { limitBytes: 100, measure: "base64" } },
      "direct",
    ],
    [
      "measured in base64, at",
      { ...base, bytes: varied(73), limits: { limitBytes: 100, measure: "base64" } },
      "bootstrap.too_large",
    ],
    ["compressible", { ...base, bytes: same(5000), limits: gzipped, hasStore: true }, "gzip"],
    [
      "compressible, gzip refused",
      { ...base, bytes: same(5000), limits: { limitBytes: 100, gzip: "refused" }, hasStore: true },
      "object-store",
    ],
    ["compressible, gzip not mentioned", { ...base, bytes: same(5000), hasStore: true }, "object-store"],
    [
      "compressible Ignition",
      { ...base, bytes: same(5000), limits: gzipped, format: "ignition", hasStore: true },
      "object-store",
    ],
    ["gzip still too large", { ...base, bytes: varied(5000), limits: gzipped, hasStore: true }, "object-store"],
    ["gzip fails", { ...base, bytes: same(5000), limits: gzipped, hasStore: true, compress: failing }, "object-store"],
    [
      "gzip fails without a store",
      { ...base, bytes: same(5000), limits: gzipped, compress: failing },
      "bootstrap.too_large",
    ],
  ];
  for (const [name, input, expected] of cases) {
    it(`${name}: ${expected}`, () => {
      if (expected.includes(".")) {
        expect(() => chooseRoute(input)).toThrow(
          expect.objectContaining({ code: expected, message: expect.stringContaining("enable the object store") }),
        );
        return;
      }
      const { route, bytes } = chooseRoute(input);
      expect(route).toBe(expected);
      expect(route === "gzip" ? new Uint8Array(gunzipSync(bytes)) : bytes).toEqual(input.bytes);
    });
  }
});

it("compresses to the same bytes every time, without a time in the header", () => {
  expect(gzip(same(300))).toEqual(gzip(same(300)));
  expect(Array.from(gzip(same(300)).slice(4, 8))).toEqual([0, 0, 0, 0]);
});

it.each([
  [0, 0],
  [1, 4],
  [3, 4],
  [4, 8],
])("measures %i raw bytes as %i in base64", (raw, encoded) => {
  expect(measuredBytes(raw, { limitBytes: 1, measure: "base64" })).toBe(encoded);
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
