import { createHmac, timingSafeEqual } from "node:crypto";

/** Permission that a signed URL grants. */
export interface SignedRequest {
  /** A URL for reading serves GET and HEAD. */
  readonly permits: "get" | "put";
  readonly bucket: string;
  readonly key: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const signatureOf = ({ permits, bucket, key, expires }: SignedRequest, signingKey: Uint8Array): Buffer =>
  createHmac("sha256", signingKey)
    .update(JSON.stringify([permits, bucket, key, expires]))
    .digest();

const escaped = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

/** Path and query, to be put behind an address. */
export const signedPath = (request: SignedRequest, signingKey: Uint8Array): string => {
  const signature = signatureOf(request, signingKey).toString("hex");
  return `/o/${request.bucket}/${escaped(request.key)}?e=${request.expires}&s=${signature}`;
};

/** Returns whether the query of a URL was signed for this, in a time that says nothing about how close it came. */
export const isSigned = (
  request: Omit<SignedRequest, "expires">,
  query: URLSearchParams,
  { signingKey, now }: { readonly signingKey: Uint8Array; readonly now: number },
): boolean => {
  const said = query.get("e") ?? "";
  const given = query.get("s") ?? "";
  const expires = /^\d{1,12}$/.test(said) ? Number(said) : 0;
  const wanted = signatureOf({ ...request, expires }, signingKey);
  const same = timingSafeEqual(wanted, Buffer.from(/^[0-9a-f]{64}$/.test(given) ? given : "0".repeat(64), "hex"));
  return same && expires * 1000 > now;
};

/** Bucket and key of a path; `undefined` for what no signed URL looks like. */
export const readPath = (path: string): { readonly bucket: string; readonly key: string } | undefined => {
  const [, bucket, escapedKey = ""] = /^\/o\/([a-z0-9-]{3,63})\/(.+)$/.exec(path) ?? [];
  if (bucket === undefined || /%(?:2f|00)/i.test(escapedKey)) return undefined;
  try {
    const key = decodeURIComponent(escapedKey);
    return hasSteps(key) ? undefined : { bucket, key };
  } catch {
    // Not what `encodeURIComponent` makes.
    return undefined;
  }
};

/** Clients take steps such as `..` out of URLs before they send them, so a URL of such a key would not work. */
export const hasSteps = (key: string): boolean =>
  key.includes("\0") || key.split("/").some((part) => part === "." || part === "..");
