import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { environmentOptions } from "./environment.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-linode-"));
afterAll(() => rmSync(folder, { recursive: true }));

const optionsOf = (variables: Readonly<Record<string, string>>) => environmentOptions((name) => variables[name]);

it("are none where no variable is set", () => {
  expect(optionsOf({})).toEqual({});
  expect(optionsOf({ AKAMAI_HOST: "h" })).toEqual({});
});

it("are what the variables of upstream's manager say", () => {
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, "PEM");
  expect(
    optionsOf({
      LINODE_TOKEN: "t",
      LINODE_URL: "https://api.example.com",
      LINODE_API_VERSION: "v4",
      LINODE_CA: ca,
      LINODE_CLIENT_TIMEOUT: "20",
      GZIP_COMPRESSION_ENABLED: "true",
      LINODE_DNS_TOKEN: "d",
      LINODE_DNS_URL: "https://dns.example.com",
      LINODE_DNS_CA: ca,
      AKAMAI_HOST: "h",
      AKAMAI_ACCESS_TOKEN: "a",
      AKAMAI_CLIENT_TOKEN: "c",
      AKAMAI_CLIENT_SECRET: "s",
    }),
  ).toEqual({
    token: "t",
    endpoint: "https://api.example.com",
    apiVersion: "v4",
    ca: "PEM",
    timeoutMs: 20_000,
    gzip: true,
    dns: { token: "d", endpoint: "https://dns.example.com", ca: "PEM" },
    edgeDns: { host: "h", accessToken: "a", clientToken: "c", clientSecret: "s" },
  });
});

it.each([
  ["1", true],
  ["TRUE", true],
  ["t", true],
  ["0", false],
  ["False", false],
])("read GZIP_COMPRESSION_ENABLED=%s as upstream's manager does", (word, gzip) => {
  expect(optionsOf({ GZIP_COMPRESSION_ENABLED: word })).toEqual({ gzip });
});

it.each([
  [{ GZIP_COMPRESSION_ENABLED: "yes" }, /^GZIP_COMPRESSION_ENABLED must be true or false, not "yes"$/],
  [{ LINODE_CA: "/nowhere/ca.pem" }, /^cannot read \/nowhere\/ca\.pem \(LINODE_CA\): ENOENT/],
  [{ LINODE_CLIENT_TIMEOUT: "10s" }, /^LINODE_CLIENT_TIMEOUT must be a number of seconds from 1 to 3600, not "10s"/],
])("are refused where a value cannot be used: %j", (variables, message) => {
  expect(() => optionsOf(variables)).toThrow(
    expect.objectContaining({ code: "linode.environment_invalid", message: expect.stringMatching(message) as string }),
  );
});
