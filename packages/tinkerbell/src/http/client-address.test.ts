import { describe, expect, it } from "vitest";
import { addressRanges, clientAddress } from "./client-address.ts";

const none = addressRanges([], "trustedProxies");
const trusted = addressRanges(["10.0.0.0/8", "fd00::/8"], "trustedProxies");

describe("who asks", () => {
  it.each([
    ["the peer, where no proxy is trusted", "10.0.0.1", "192.0.2.7", none, "10.0.0.1"],
    ["the peer, where it is no proxy", "192.0.2.1", "192.0.2.7", trusted, "192.0.2.1"],
    ["whom a trusted proxy names", "10.0.0.1", "192.0.2.7", trusted, "192.0.2.7"],
    ["the last that is not trusted", "10.0.0.1", "192.0.2.66, 192.0.2.7, 10.0.0.2", trusted, "192.0.2.7"],
    ["the first, where all are trusted", "10.0.0.1", "10.0.0.3, 10.0.0.2", trusted, "10.0.0.3"],
    ["the peer in its own form", "::ffff:192.0.2.1", undefined, trusted, "192.0.2.1"],
    ["whom a proxy with IPv6 names", "fd00::1", "2001:db8::7", trusted, "2001:db8::7"],
    ["an address of IPv6 in brackets, with a port", "10.0.0.1", "[2001:db8::7]:4711", trusted, "2001:db8::7"],
    ["an address of IPv6 in brackets", "10.0.0.1", "[2001:db8::7]", trusted, "2001:db8::7"],
    ["an address of IPv4 with a port", "10.0.0.1", "192.0.2.7:4711", trusted, "192.0.2.7"],
    ["nobody, where the proxy sent something else", "10.0.0.1", "unknown", trusted, undefined],
  ])("is %s", (_, peer, forwardedFor, ranges, expected) => {
    expect(clientAddress({ peer, forwardedFor }, ranges)).toBe(expected);
  });
});

it.each(["10.0.0.0", "10.0.0.0/33", "lan/8", ""])("refuses the range %j, and says which option it is", (range) => {
  expect(() => addressRanges([range], "trustedProxies")).toThrow(/trustedProxies: .* is not a range/);
});
