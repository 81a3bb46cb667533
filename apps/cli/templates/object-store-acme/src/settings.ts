import { storeError } from "./errors.ts";

/** Where a bucket is and how to reach it, checked. */
export interface StoreSettings {
  readonly bucket: string;
  /** Scheme, host and port only. */
  readonly endpoint: string;
  readonly access: string;
  readonly secret: string;
}

const reading = "open the object store";

/** Reads the data of a credentials Secret. Throws `objectstore.invalid_config` naming the key. */
export const readSettings = (data: Readonly<Record<string, string>>): StoreSettings => {
  const required = (name: string): string => {
    const value = data[name]?.trim() ?? "";
    if (value === "") throw storeError("invalidConfig", reading, `the Secret has no value under "${name}"`);
    return value;
  };
  const bucket = required("bucket");
  const given = required("endpoint");
  const endpoint = URL.parse(given);
  if (endpoint === null || !["http:", "https:"].includes(endpoint.protocol) || endpoint.pathname !== "/") {
    throw storeError("invalidConfig", reading, `"endpoint" must be an http or https URL without a path`);
  }
  if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw storeError("invalidConfig", reading, `"bucket" must be 3 to 63 lowercase letters, digits and hyphens`);
  }
  return { bucket, endpoint: endpoint.origin, access: required("access"), secret: required("secret") };
};
