import { expect, it } from "vitest";
import { endpoint } from "./endpoint.ts";

it.each([
  [undefined, undefined, "https://api.linode.com", "v4"],
  ["https://api.linode.com/v4beta", undefined, "https://api.linode.com", "v4beta"],
  ["https://api.linode.com/v4beta/", "v4", "https://api.linode.com", "v4"],
  ["http://127.0.0.1:80/proxy/v4", undefined, "http://127.0.0.1/proxy", "v4"],
  ["api.example.com", undefined, "https://api.example.com", "v4"],
])("%s and %s", (url, version, base, found) => {
  expect(endpoint(url, version)).toEqual({ url: base, version: found });
});

it("refuses what is not a URL", () => {
  expect(() => endpoint("https://", undefined)).toThrow(TypeError);
});
