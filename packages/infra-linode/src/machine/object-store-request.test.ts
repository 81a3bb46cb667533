import { describe, expect, it } from "vitest";
import { objectStoreRequest } from "./object-store-request.ts";

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
