import { expect, it } from "vitest";
import { proxyFromEnvironment } from "./proxy.ts";

const secure = "http://secure.test:3128/";
const plain = "http://plain.test:3128/";
const both = { HTTPS_PROXY: secure, HTTP_PROXY: plain };

it.each([
  [{}, "https://api.test", undefined],
  [both, "https://api.test", secure],
  [both, "http://api.test", plain],
  [{ HTTP_PROXY: plain }, "https://api.test", undefined],
  [{ https_proxy: "secure.test:3128" }, "https://api.test/v4", secure],
  [{ HTTPS_PROXY: "", https_proxy: secure }, "https://api.test", secure],
  [{ HTTPS_PROXY: "https://user:word@p.test" }, "https://api.test", "https://user:word@p.test/"],
  [both, "https://localhost:6443", undefined],
  [both, "https://127.9.0.1:6443", undefined],
  [both, "https://[::1]:6443", undefined],
])("%o sends requests to %s by %s", (variables, url, proxy) => {
  expect(proxyFromEnvironment(variables)(url)).toBe(proxy);
});

it.each([
  ["*", "https://api.test", true],
  ["api.test", "https://api.test", true],
  ["API.test ,x", "https://api.test", true],
  ["api.test", "https://API.test.", true],
  ["api.test", "https://eu.api.test", true],
  ["api.test", "https://myapi.test", false],
  [".api.test", "https://api.test", false],
  [".api.test", "https://eu.api.test", true],
  ["*.api.test", "https://eu.api.test", true],
  ["api.test:443", "https://api.test", true],
  ["api.test:8443", "https://api.test", false],
  ["10.0.0.1", "https://10.0.0.1:6443", true],
  ["10.0.0.1:6443", "https://10.0.0.1:6443", true],
  ["10.0.0.1:443", "https://10.0.0.1:6443", false],
  ["10.0.0.0/8", "https://10.96.0.1", true],
  ["10.0.0.0/8", "https://11.0.0.1", false],
  ["10.0.0.0/99", "https://10.0.0.1", false],
  ["10.0.0.0/8", "https://api.test", false],
  ["fd00::/8", "https://[fd00::7]:6443", true],
  ["fd00::7", "https://[fd00::7]", true],
  ["[fd00::7]:443", "https://[fd00::7]", true],
  ["other.test,,10.0.0.0/8", "https://api.test", false],
])("NO_PROXY=%s and %s: excepted %s", (NO_PROXY, url, excepted) => {
  expect(proxyFromEnvironment({ ...both, NO_PROXY })(url)).toBe(excepted ? undefined : secure);
});

it.each(["socks5://p.test", "http://", "p.test:port"])("refuses the proxy %s without repeating it", (text) => {
  expect(() => proxyFromEnvironment({ HTTPS_PROXY: text })).toThrow(
    expect.objectContaining({ code: "runtime.proxy_invalid", message: expect.stringMatching(/^HTTPS_PROXY does not/) }),
  );
});
