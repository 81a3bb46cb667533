import { readFileSync } from "node:fs";
import { parseDurationMs } from "@capstan/kube-values";
import { elementalError } from "./errors.ts";
import type { ElementalOptions, Variable } from "./options.ts";

const flag = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : ["1", "true", "yes"].includes(value.toLowerCase());

/** `host:port`, or `:port`. */
const listenOf = (value: string): NonNullable<ElementalOptions["listen"]> => {
  const colon = value.lastIndexOf(":");
  const host = value.slice(0, Math.max(colon, 0)).replace(/^\[|\]$/g, "");
  const port = Number(value.slice(colon + 1));
  return host === "" ? { port } : { host, port };
};

const invalid = (name: string, value: string, form: string): Error =>
  elementalError({
    code: "elemental.option_invalid",
    reason: "OptionInvalid",
    message: `${name}: ${JSON.stringify(value)} is not ${form}`,
    retry: { kind: "never" },
  });

const wholeNumber = (name: string, value: string): number => {
  if (!/^\d{1,9}$/.test(value)) throw invalid(name, value, "a whole number, for example 256; 0 is for no limit");
  return Number(value);
};

const durationMs = (name: string, value: string): number => {
  const ms = parseDurationMs(value);
  if (ms === undefined || ms < 0) throw invalid(name, value, "a duration, for example 168h; 0 is for ever");
  return ms;
};

/** The options of the Elemental part, from upstream's variables and ours. */
export const readElementalOptions = (variable: Variable): ElementalOptions => {
  const endpoint = variable("ELEMENTAL_API_ENDPOINT");
  const tls = flag(variable("ELEMENTAL_API_ENABLE_TLS"));
  const listen = variable("ELEMENTAL_API_LISTEN");
  const [certificate, key, authority] = ["CERTIFICATE", "PRIVATE_KEY", "CA"].map((part) =>
    variable(`ELEMENTAL_API_TLS_${part}`),
  );
  const sharesAuthority = flag(variable("ELEMENTAL_ENABLE_DEFAULT_CA")) ?? true;
  const registryAuthority = variable("ELEMENTAL_REGISTRY_CA");
  const bootMedia = variable("ELEMENTAL_BOOT_MEDIA_URL");
  const bundleFolder = variable("ELEMENTAL_BUNDLE_FOLDER");
  const hostLimit = variable("ELEMENTAL_HOST_LIMIT");
  const tokenDuration = variable("ELEMENTAL_TOKEN_DURATION");
  return {
    ...(hostLimit !== undefined && { hostLimit: wholeNumber("ELEMENTAL_HOST_LIMIT", hostLimit) }),
    ...(tokenDuration !== undefined && { tokenDurationMs: durationMs("ELEMENTAL_TOKEN_DURATION", tokenDuration) }),
    ...(endpoint !== undefined && { endpoint }),
    ...(variable("ELEMENTAL_API_PROTOCOL") === "http" && { protocol: "http" }),
    ...(tls !== undefined && { tls }),
    ...(listen !== undefined && { listen: listenOf(listen) }),
    ...(certificate !== undefined && key !== undefined && { certificateFiles: { certificate, key } }),
    ...(authority !== undefined && sharesAuthority && { authority: readFileSync(authority, "utf8") }),
    ...(registryAuthority !== undefined && { registryAuthority: readFileSync(registryAuthority, "utf8") }),
    ...(bootMedia !== undefined && { bootMedia: { url: bootMedia } }),
    ...(bundleFolder !== undefined && { bundleFolder }),
  };
};
