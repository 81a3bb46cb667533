import { CapstanError } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { classify, translate } from "./errors.ts";

const http = (httpStatusCode: number, name = "Unknown") => ({ name, $metadata: { httpStatusCode } });

describe("classify", () => {
  it.each([
    ["a HEAD that is denied has no code", http(403), "forbidden"],
    ["a HEAD of nothing", http(404, "NotFound"), "objectNotFound"],
    ["a bare 404", http(404), "objectNotFound"],
    ["the code wins over the status", http(404, "NoSuchBucket"), "bucketNotFound"],
    ["wrong secret", http(403, "SignatureDoesNotMatch"), "unauthenticated"],
    ["unknown key", http(403, "InvalidAccessKeyId"), "unauthenticated"],
    ["expired token", http(400, "ExpiredToken"), "unauthenticated"],
    ["clock", http(403, "RequestTimeTooSkewed"), "unauthenticated"],
    ["precondition", http(412), "conflict"],
    ["slow down", http(503, "SlowDown"), "throttled"],
    ["429", http(429), "throttled"],
    ["503", http(503), "unavailable"],
    ["refused", { name: "Error", code: "ECONNREFUSED" }, "unavailable"],
    ["name", { name: "Error", code: "ENOTFOUND" }, "unavailable"],
    ["certificate", { name: "Error", code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "unavailable"],
    ["unknown certificate", { name: "Error", code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "unavailable"],
    ["timer", { name: "TimeoutError" }, "timeout"],
    ["too large", http(400, "EntityTooLarge"), "tooLarge"],
    ["something else", http(418), "unknown"],
  ] as const)("%s", (_name, error, expected) => {
    expect(classify(error)).toBe(expected);
  });
});

describe("translate", () => {
  const call = { now: Date.UTC(2030, 0, 1), signal: undefined };
  it("keeps status and cause, says what was tried", () => {
    const cause = http(403, "AccessDenied");
    const error = translate(cause, 'put object "k" in bucket "b"', call);
    expect(error).toMatchObject({ code: "objectstore.forbidden", cause, details: { status: 403 } });
    expect(error.message).toBe(
      'could not put object "k" in bucket "b": the store answered AccessDenied 403; ' +
        "grant the access key read and write permission for the bucket",
    );
  });

  it.each([
    [429, "7", { kind: "after", ms: 7000 }],
    [503, "Tue, 01 Jan 2030 00:01:00 GMT", { kind: "after", ms: 60_000 }],
    [503, "soon", { kind: "backoff" }],
    [403, "7", { kind: "backoff" }],
  ])("waits as long as the store asks: %i, %s", (status, value, retry) => {
    const error = translate({ ...http(status), $response: { headers: { "retry-after": value } } }, "put", call);
    expect(error.retry).toEqual(retry);
  });

  it("tells a cancelled call apart", () => {
    const reason = new Error("stop");
    const error = translate(new Error("aborted"), "put", { ...call, signal: AbortSignal.abort(reason) });
    expect(error).toMatchObject({ code: "objectstore.cancelled", cause: reason });
  });

  it("leaves its own errors alone", () => {
    const own = new CapstanError({ code: "a.b", reason: "A", message: "m" });
    expect(translate(own, "put", call)).toBe(own);
  });
});
