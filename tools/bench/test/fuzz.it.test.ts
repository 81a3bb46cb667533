import { seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { diceOf } from "../src/fuzz/dice.ts";
import { fuzz } from "../src/fuzz/fuzz.ts";
import { fuzzRequest } from "../src/fuzz/fuzz-request.ts";

it("finds no request that the API server answers as its own mistake, in a sample", async () => {
  const { codes, defects, errors } = await fuzz({ requests: 2_000, seed: 22 });
  expect(defects).toEqual([]);
  expect(errors).toEqual([]);
  // They get far enough to say something.
  for (const code of [200, 201, 400, 403, 404, 405, 409, 422]) {
    expect(codes.get(code) ?? 0, String(code)).toBeGreaterThan(0);
  }
  expect([...codes.values()].reduce((sum, count) => sum + count, 0)).toBe(2_000);
});

it("makes the same request of the same seed", () => {
  const target = {
    base: "/api/v1",
    group: "",
    version: "v1",
    plural: "configmaps",
    subresource: "",
    namespaced: true,
    kind: "ConfigMap",
    methods: ["POST", "GET"],
    schema: { type: "object", properties: { data: { type: "object", additionalProperties: { type: "string" } } } },
  };
  const surface = { targets: [target], schemas: new Map(), paths: ["/version"] };
  const made = (seed: number) => fuzzRequest(surface, diceOf(seededRandom(seed)));
  const seeds = Array.from({ length: 50 }, (_, index) => index);
  expect(seeds.map(made)).toEqual(seeds.map(made));
  expect(new Set(seeds.map((seed) => JSON.stringify(made(seed)))).size).toBeGreaterThan(40);
});
