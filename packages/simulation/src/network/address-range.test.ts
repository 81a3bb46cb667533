import { describe, expect, it } from "vitest";
import {
  type AddressRange,
  freeAddress,
  freeRange,
  hasAddress,
  includes,
  overlaps,
  parseRange,
} from "./address-range.ts";

const range = (text: string): AddressRange => {
  const parsed = parseRange(text);
  if (parsed === undefined) throw new Error(`${text} is no range`);
  return parsed;
};

describe("parseRange", () => {
  it.each(["10.0.0.1/16", "10.0.0.0", "10.0.0.0/33", "10.0.0.256/32", "x/8", "10.0.0.0/8/8", "::1/64", "::/129"])(
    "takes no %s",
    (text) => expect(parseRange(text)).toBeUndefined(),
  );

  it("knows both families", () => {
    expect(range("10.0.0.0/8")).toMatchObject({ family: 4 });
    expect(range("2001:db8::/48")).toMatchObject({ family: 6 });
    expect(overlaps(range("::/0"), range("0.0.0.0/0"))).toBe(false);
  });
});

it("compares ranges", () => {
  expect(includes(range("10.0.0.0/8"), range("10.1.0.0/16"))).toBe(true);
  expect(includes(range("10.1.0.0/16"), range("10.0.0.0/8"))).toBe(false);
  expect(overlaps(range("10.1.0.0/16"), range("10.0.0.0/8"))).toBe(true);
  expect(overlaps(range("10.1.0.0/16"), range("10.2.0.0/16"))).toBe(false);
  expect(hasAddress(range("10.1.0.0/16"), "10.1.255.255")).toBe(true);
  expect(hasAddress(range("10.1.0.0/16"), "10.2.0.0")).toBe(false);
});

it("gives addresses in turn, but not those that the network keeps", () => {
  expect(freeAddress(range("10.1.0.0/16"), new Set(), 4)).toBe("10.1.0.4");
  expect(freeAddress(range("10.1.0.0/29"), new Set(["10.1.0.4", "10.1.0.5"]), 4)).toBe("10.1.0.6");
  expect(freeAddress(range("10.1.0.0/29"), new Set(["10.1.0.4", "10.1.0.5", "10.1.0.6"]), 4)).toBeUndefined();
  expect(freeAddress(range("2001:db8::/64"), new Set(), 4)).toBe("2001:db8:0:0:0:0:0:4");
});

it("gives ranges in turn, past those that are taken", () => {
  const taken = [range("10.1.0.0/24"), range("10.1.1.128/25")];
  expect(freeRange(range("10.1.0.0/16"), 24, taken)).toBe("10.1.2.0/24");
  expect(freeRange(range("10.1.0.0/23"), 24, taken)).toBeUndefined();
  expect(freeRange(range("2001:db8::/52"), 56, [range("2001:db8::/56")])).toBe("2001:db8:0:100::/56");
});
