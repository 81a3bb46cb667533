import { isIP } from "node:net";
import { storeError } from "./errors.ts";

/** Where a bucket is and how to reach it, checked. */
export interface StoreSettings {
  readonly bucket: string;
  /** Scheme, host and port only. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly forcePathStyle: boolean;
  /** PEM. */
  readonly ca: string | undefined;
}

const reading = "open the object store";

/** Secret keys, newest spelling first. */
const spellings = {
  bucket: ["bucket", "bucket_name"],
  endpoint: ["endpoint", "s3_endpoint"],
  access: ["access", "access_key"],
  secret: ["secret", "secret_key"],
} as const;

const words: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Reads the data of a credentials Secret. Throws `objectstore.invalid_config` naming the key. */
export const readSettings = (
  data: Readonly<Record<string, string>>,
  defaults: { readonly forcePathStyle: boolean },
): StoreSettings => {
  const required = (names: readonly [string, string]): string => {
    const found = names.map((name) => data[name]?.trim() ?? "").find((value) => value !== "");
    if (found !== undefined) return found;
    throw storeError("invalidConfig", reading, `the Secret has no "${names[0]}"`);
  };
  const bucket = required(spellings.bucket);
  const endpoint = readEndpoint(required(spellings.endpoint), bucket);
  const ca = data["ca.crt"]?.trim();
  return {
    bucket,
    endpoint: endpoint.origin,
    accessKey: required(spellings.access),
    secretKey: required(spellings.secret),
    region: data["region"]?.trim() || "auto",
    forcePathStyle:
      readPathStyle(data["forcePathStyle"]) ?? (defaults.forcePathStyle || needsPathStyle(endpoint, bucket)),
    ca: ca === "" ? undefined : ca,
  };
};

const complaint = (why: string) => storeError("invalidConfig", reading, `"endpoint" ${why}`);

const readEndpoint = (text: string, bucket: string): URL => {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null) throw complaint(`"${text}" is not a URL`);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw complaint("must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw complaint("must not contain a user or password");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") throw complaint("must be a host without a path");
  if (url.hostname.startsWith(`${bucket}.`)) throw complaint("must not start with the bucket's name");
  return url;
};

const readPathStyle = (text: string | undefined): boolean | undefined => {
  if (text === undefined || text.trim() === "") return undefined;
  const found = words[text.trim().toLowerCase()];
  if (found === undefined) throw storeError("invalidConfig", reading, '"forcePathStyle" must be true or false');
  return found;
};

/** A bucket cannot be put in front of an address, and one with dots breaks the certificate's wildcard. */
const needsPathStyle = (endpoint: URL, bucket: string): boolean => {
  const host = endpoint.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 || host === "localhost" || (endpoint.protocol === "https:" && bucket.includes("."));
};
