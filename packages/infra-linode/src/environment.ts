import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import type { LinodeProviderOptions } from "./options.ts";

/** A variable of the environment; `undefined`: it is not set. */
type Variable = (name: string) => string | undefined;

/** The options that variables stand for. */
export type EnvironmentOptions = Pick<
  LinodeProviderOptions,
  "apiVersion" | "ca" | "dns" | "edgeDns" | "endpoint" | "gzip" | "timeoutMs" | "token"
>;

const unusable = (message: string): CapstanError =>
  new CapstanError({
    code: "linode.environment_invalid",
    reason: "EnvironmentInvalid",
    message,
    retry: { kind: "never" },
  });

const pemOf = (name: string, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(`cannot read ${path} (${name}): ${why}; correct the variable`);
  }
};

const millisecondsOf = (name: string, seconds: string | undefined): number | undefined => {
  if (seconds === undefined) return undefined;
  const value = Number(seconds);
  if (Number.isInteger(value) && value > 0 && value <= 3600) return value * 1000;
  throw unusable(`${name} must be a number of seconds from 1 to 3600, not "${seconds}"`);
};

/** The words that upstream's manager reads as well. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["0", "f", "F", "false", "False", "FALSE"].map((word) => [word, false] as const),
]);

const booleanOf = (name: string, word: string | undefined): boolean | undefined => {
  if (word === undefined) return undefined;
  const value = booleans.get(word);
  if (value === undefined) throw unusable(`${name} must be true or false, not "${word}"`);
  return value;
};

const edgeDnsOf = (of: Variable): EnvironmentOptions["edgeDns"] => {
  const host = of("AKAMAI_HOST");
  const accessToken = of("AKAMAI_ACCESS_TOKEN");
  const clientToken = of("AKAMAI_CLIENT_TOKEN");
  const clientSecret = of("AKAMAI_CLIENT_SECRET");
  if (host === undefined || accessToken === undefined || clientToken === undefined || clientSecret === undefined) {
    return undefined;
  }
  return { host, accessToken, clientToken, clientSecret };
};

/**
 * Parses the environment variables of upstream's manager: `LINODE_TOKEN`, `LINODE_URL`, `LINODE_API_VERSION`,
 * `LINODE_CA` (a file), `LINODE_CLIENT_TIMEOUT` (seconds), `LINODE_DNS_TOKEN`, `LINODE_DNS_URL`, `LINODE_DNS_CA` (a
 * file), `AKAMAI_*` (all four) and `GZIP_COMPRESSION_ENABLED` (`true` or `false`, also as `1` or `0`). Throws
 * `linode.environment_invalid` where a value cannot be used.
 */
export const environmentOptions = (variable: Variable): EnvironmentOptions => {
  const dns = presentFields({
    token: variable("LINODE_DNS_TOKEN"),
    endpoint: variable("LINODE_DNS_URL"),
    ca: pemOf("LINODE_DNS_CA", variable("LINODE_DNS_CA")),
  });
  return presentFields({
    token: variable("LINODE_TOKEN"),
    endpoint: variable("LINODE_URL"),
    apiVersion: variable("LINODE_API_VERSION"),
    ca: pemOf("LINODE_CA", variable("LINODE_CA")),
    timeoutMs: millisecondsOf("LINODE_CLIENT_TIMEOUT", variable("LINODE_CLIENT_TIMEOUT")),
    gzip: booleanOf("GZIP_COMPRESSION_ENABLED", variable("GZIP_COMPRESSION_ENABLED")),
    dns: Object.keys(dns).length === 0 ? undefined : dns,
    edgeDns: edgeDnsOf(variable),
  });
};
