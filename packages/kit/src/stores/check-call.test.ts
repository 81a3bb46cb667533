import { describe, expect, it } from "vitest";
import { checkExpiry, checkKey, checkSize } from "./check-call.ts";

const refusal = (code: string) => expect.objectContaining({ code: `objectstore.${code}`, retry: { kind: "never" } });

describe("checks of calls to a store", () => {
  it.each(["", "ä".repeat(513)])("refuse a key that is empty or too long", (key) => {
    expect(() => checkKey(key, "put it")).toThrow(refusal("invalid_argument"));
  });

  it("let a key of 1024 bytes pass", () => {
    expect(() => checkKey("ä".repeat(512), "put it")).not.toThrow();
  });

  it("refuse no bytes, and too many", () => {
    expect(() => checkSize(new Uint8Array(), 2, "put it")).toThrow(refusal("invalid_argument"));
    expect(() => checkSize(new Uint8Array(3), 2, "put it")).toThrow(refusal("too_large"));
    expect(() => checkSize(new Uint8Array(2), 2, "put it")).not.toThrow();
  });

  it.each([0, -1, 61, 1.5, Number.NaN])("refuse a life of %s seconds", (seconds) => {
    expect(() => checkExpiry(seconds, 60, "sign it")).toThrow(refusal("invalid_argument"));
  });

  it.each([1, 60])("let a life of %s seconds pass", (seconds) => {
    expect(() => checkExpiry(seconds, 60, "sign it")).not.toThrow();
  });
});
