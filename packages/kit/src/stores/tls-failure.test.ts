import { expect, it } from "vitest";
import { isTlsFailure } from "./tls-failure.ts";

it.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", true],
  ["SELF_SIGNED_CERT_IN_CHAIN", true],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
  ["CERT_HAS_EXPIRED", true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["ECONNREFUSED", false],
  ["", false],
])("%s: %s", (code, expected) => {
  expect(isTlsFailure(code)).toBe(expected);
});
