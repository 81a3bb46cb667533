import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const data = { bucket: "data", endpoint: "us-ord-1.linodeobjects.com", access: "AK", secret: "SK" };
const read = (change: Readonly<Record<string, string>> = {}, forcePathStyle = false) =>
  readSettings({ ...data, ...change }, { forcePathStyle });

describe("readSettings", () => {
  it("fills in what is not given", () => {
    expect(read()).toEqual({
      bucket: "data",
      endpoint: "https://us-ord-1.linodeobjects.com",
      accessKey: "AK",
      secretKey: "SK",
      region: "auto",
      forcePathStyle: false,
      ca: undefined,
    });
  });

  it("reads the older spelling, and lets the newer win", () => {
    const older = { bucket_name: "old", s3_endpoint: "https://s3.example", access_key: "OA", secret_key: "OS" };
    expect(readSettings(older, { forcePathStyle: false })).toMatchObject({
      bucket: "old",
      endpoint: "https://s3.example",
      accessKey: "OA",
      secretKey: "OS",
    });
    expect(read(older)).toMatchObject({ bucket: "data", accessKey: "AK" });
  });

  it.each(["bucket", "endpoint", "access", "secret"])("names the key %s when it is missing or empty", (key) => {
    const error = { code: "objectstore.invalid_config", message: expect.stringContaining(`"${key}"`) as string };
    const { [key as "bucket"]: _gone, ...rest } = data;
    expect(() => readSettings(rest, { forcePathStyle: false })).toThrow(expect.objectContaining(error));
    expect(() => read({ [key]: " " })).toThrow(expect.objectContaining(error));
  });

  it.each([
    ["http://127.0.0.1:9000", true],
    ["http://[::1]:9000", true],
    ["localhost:9000", true],
    ["https://s3.example", false],
  ])("%s wants path style: %s", (endpoint, forcePathStyle) => {
    expect(read({ endpoint })).toMatchObject({ forcePathStyle });
  });

  it("uses path style for a bucket with dots behind TLS, and where told", () => {
    expect(read({ bucket: "a.b" }).forcePathStyle).toBe(true);
    expect(read({ bucket: "a.b", endpoint: "http://s3.example" }).forcePathStyle).toBe(false);
    expect(read({ forcePathStyle: "TRUE" }).forcePathStyle).toBe(true);
    expect(read({}, true).forcePathStyle).toBe(true);
    expect(read({ forcePathStyle: "false", endpoint: "http://127.0.0.1" }).forcePathStyle).toBe(false);
  });

  it.each([
    ["https://s3.example/data", "a host without a path"],
    ["https://data.s3.example", "the bucket's name"],
    ["ftp://s3.example", "http or https"],
    ["https://me:pw@s3.example", "user or password"],
    ["https://", "is not a URL"],
  ])("refuses the endpoint %s", (endpoint, why) => {
    expect(() => read({ endpoint })).toThrow(why);
  });

  it("refuses a forcePathStyle that is not a boolean, keeps region and certificate", () => {
    expect(() => read({ forcePathStyle: "maybe" })).toThrow('"forcePathStyle"');
    expect(read({ region: "us-east-1", "ca.crt": "PEM" })).toMatchObject({ region: "us-east-1", ca: "PEM" });
  });
});
