import { isCapstanError } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { addressRange, firstServiceAddress } from "./address-range.ts";

describe("addressRange", () => {
  it.each([
    ["10.0.0.0/24", 254, "10.0.0.1", "10.0.0.254"],
    ["10.0.0.77/24", 254, "10.0.0.1", "10.0.0.254"],
    ["192.168.255.252/30", 2, "192.168.255.253", "192.168.255.254"],
    ["172.16.0.0/12", 1_048_574, "172.16.0.1", "172.31.255.254"],
    ["fd00::/108", 65_535, "fd00::1", "fd00::ffff"],
    ["FD00:0::10:77/112", 65_535, "fd00::10:1", "fd00::10:ffff"],
    ["2001:db8:1:2:3:4:5:f8/126", 3, "2001:db8:1:2:3:4:5:f9", "2001:db8:1:2:3:4:5:fb"],
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

  it("of IPv6 contains its addresses however they are written, and no others", () => {
    const range = addressRange("fd00:1::/112");
    expect([range.family, addressRange("10.0.0.0/24").family]).toEqual(["IPv6", "IPv4"]);
    expect(["fd00:1::1", "FD00:0001:0:0:0:0:0:1", "fd00:1::ffff"].every((each) => range.contains(each))).toBe(true);
    const outside = ["fd00:1::", "fd00:1::1:0", "fd00::1", "fd00:1::1%eth0", "10.0.0.1", "x"];
    expect(outside.filter((address) => range.contains(address))).toEqual([]);
  });

  it("has the address of the Service kubernetes first, of two ranges in that which is named first", () => {
    expect(firstServiceAddress("10.96.0.0/12,fd00::/108")).toBe("10.96.0.1");
    expect(firstServiceAddress("fd00::/108,10.96.0.0/12")).toBe("fd00::1");
  });

  it.each(["10.0.0.0", "10.0.0.0/31", "10.0.0.0/x", "fd00::/127", "fd00::/129", "fd00::", "10.0.0.0/33", "a/b/c", ""])(
    "refuses %s",
    (cidr) => {
      expect(() => addressRange(cidr)).toThrow(
        expect.toSatisfy((error) => isCapstanError(error, "apiserver.service_range_invalid")) as Error,
      );
    },
  );
});
