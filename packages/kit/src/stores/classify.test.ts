import { expect, it } from "vitest";
import { storeFailureOf } from "./classify.ts";

it.each([
  [["NoSuchBucket"], 404, "bucketNotFound"],
  [["Unheard", "NoSuchBucket"], 404, "bucketNotFound"],
  [["ECONNREFUSED"], undefined, "unavailable"],
  [["ETIMEDOUT"], undefined, "timeout"],
  [["DEPTH_ZERO_SELF_SIGNED_CERT"], undefined, "unavailable"],
  [[undefined, "Unheard"], 403, "forbidden"],
  [[], 404, "objectNotFound"],
  [[], 503, "unavailable"],
  [["Unheard"], undefined, "unknown"],
  [[], 418, "unknown"],
] as const)("codes %j with status %s are %s", (codes, status, expected) => {
  expect(storeFailureOf({ codes, status }, { NoSuchBucket: "bucketNotFound" })).toBe(expected);
});
