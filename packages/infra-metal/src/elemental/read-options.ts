import { readFileSync } from "node:fs";
import type { ElementalOptions, Variable } from "./options.ts";

const flag = (value: string | undefined): boolean | undefined =>
  value === undefined || value === "" ? undefined : ["1", "true", "yes"].includes(value.toLowerCase());

/** `host:port`, or `:port`. */
const listenOf = (value: string): NonNullable<ElementalOptions["listen"]> => {
  const colon = value.lastIndexOf(":");
  const host = value.slice(0, Math.max(colon, 0)).replace(/^\[|\]$/g, "");
  const port = Number(value.slice(colon + 1));
  return host === "" ? { port } : { host, port };
};

/** The options of the Elemental part, from upstream's variables and ours. */
export const readElementalOptions = (variable: Variable): ElementalOptions => {
  const set = (name: string): string | undefined => variable(name) || undefined;
  const endpoint = set("ELEMENTAL_API_ENDPOINT");
  const tls = flag(set("ELEMENTAL_API_ENABLE_TLS"));
  const listen = set("ELEMENTAL_API_LISTEN");
  const [certificate, key, authority] = ["CERTIFICATE", "PRIVATE_KEY", "CA"].map((part) =>
    set(`ELEMENTAL_API_TLS_${part}`),
  );
  const sharesAuthority = flag(set("ELEMENTAL_ENABLE_DEFAULT_CA")) ?? true;
  const registryAuthority = set("ELEMENTAL_REGISTRY_CA");
  const bootMedia = set("ELEMENTAL_BOOT_MEDIA_URL");
  const bundleFolder = set("ELEMENTAL_BUNDLE_FOLDER");
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(set("ELEMENTAL_API_PROTOCOL") === "http" && { protocol: "http" }),
    ...(tls !== undefined && { tls }),
    ...(listen !== undefined && { listen: listenOf(listen) }),
    ...(certificate !== undefined && key !== undefined && { certificateFiles: { certificate, key } }),
    ...(authority !== undefined && sharesAuthority && { authority: readFileSync(authority, "utf8") }),
    ...(registryAuthority !== undefined && { registryAuthority: readFileSync(registryAuthority, "utf8") }),
    ...(bootMedia !== undefined && { bootMedia: { url: bootMedia } }),
    ...(bundleFolder !== undefined && { bundleFolder }),
  };
};
