import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { ulid } from "./ulid.ts";

const random = seededRandom(1);

it("has the time in ten letters and chance in sixteen", () => {
  const zeros = { next: () => 0, bytes: (length: number) => new Uint8Array(length) };
  const ones = { next: () => 0, bytes: (length: number) => new Uint8Array(length).fill(255) };
  expect(ulid(fakeClock({ now: 1_469_918_176_385 }), zeros)).toBe("01ARYZ6S410000000000000000");
  expect(ulid(fakeClock({ now: 2 ** 48 - 1 }), ones)).toBe("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
});

it("sorts by time and differs at one time, also where clocks know parts of milliseconds", () => {
  const ids = [1000.25, 1000.75, 2000, 1_000_000_000_000].map((now) => ulid(fakeClock({ now }), random));
  expect(new Set(ids).size).toBe(4);
  expect(ids.slice(1).toSorted()).toEqual(ids.slice(1));
  expect(ids[0]?.slice(0, 10)).toBe(ids[1]?.slice(0, 10));
});
