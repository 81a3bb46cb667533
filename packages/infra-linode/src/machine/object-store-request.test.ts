import { describe, expect, it } from "vitest";
import { durationSeconds, objectStoreRequest } from "./object-store-request.ts";

describe("durationSeconds", () => {
  it.each([
    ["15m", 900],
    ["24h", 86_400],
    ["1h30m", 5400],
    ["90.5s", 90],
    ["1500ms", 1],
    ["0", 0],
    ["0s", 0],
    ["-5m", -300],
    ["soon", Number.NaN],
    ["15", Number.NaN],
    ["", Number.NaN],
  ])("%j is %s", (text, expected) => {
    expect(durationSeconds(text)).toBe(expected);
  });
});

describe("objectStoreRequest", () => {
  const region = { region: "us-ord" };

  it("is absent without an object store or without its Secret", () => {
    expect(objectStoreRequest(undefined)).toBeUndefined();
    expect(objectStoreRequest(region)).toBeUndefined();
    expect(objectStoreRequest({ ...region, objectStore: { presignedURLDuration: "15m" } })).toBeUndefined();
    expect(objectStoreRequest({ ...region, objectStore: { credentialsRef: {} } })).toBeUndefined();
  });

  it("names both Secrets and the seconds", () => {
    const objectStore = {
      credentialsRef: { name: "first", namespace: "other" },
      secondaryCredentialsRef: { name: "second" },
      presignedURLDuration: "1h",
    };
    expect(objectStoreRequest({ ...region, objectStore })).toEqual({
      credentialsRef: { name: "first", namespace: "other" },
      secondaryCredentialsRef: { name: "second" },
      expiresInSeconds: 3600,
      defaultType: "s3",
    });
  });
});
