import { isCapstanError } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { addressRange } from "./address-range.ts";

describe("addressRange", () => {
  it.each([
    ["10.0.0.0/24", 254, "10.0.0.1", "10.0.0.254"],
    ["10.0.0.77/24", 254, "10.0.0.1", "10.0.0.254"],
    ["192.168.255.252/30", 2, "192.168.255.253", "192.168.255.254"],
    ["172.16.0.0/12", 1_048_574, "172.16.0.1", "172.31.255.254"],
  ])("%s has %d hosts", (cidr, size, first, last) => {
    const range = addressRange(cidr);
    expect([range.size, range.at(0), range.at(size - 1)]).toEqual([size, first, last]);
    expect([first, last].every((address) => range.contains(address))).toBe(true);
  });

  it("does not contain its network, its broadcast address and what is not an address", () => {
    const range = addressRange("10.0.0.0/24");
    const outside = ["10.0.0.0", "10.0.0.255", "10.0.1.1", "9.255.255.255", "10.0.0", "10.0.0.x", "10.0.0.256", "::1"];
    expect(outside.filter((address) => range.contains(address))).toEqual([]);
  });

  it.each(["10.0.0.0", "10.0.0.0/31", "10.0.0.0/x", "fd00::/64", "10.0.0.0/33", ""])("refuses %s", (cidr) => {
    expect(() => addressRange(cidr)).toThrow(
      expect.toSatisfy((error) => isCapstanError(error, "apiserver.service_range_invalid")) as Error,
    );
  });
});
