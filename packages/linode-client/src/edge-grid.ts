import { createHash, createHmac } from "node:crypto";

/** Credentials of a client of Akamai's APIs. */
export interface EdgeGridClient {
  readonly accessToken: string;
  readonly clientToken: string;
  readonly clientSecret: string;
}

/** A request as it is signed. */
export interface EdgeGridRequest {
  readonly method: string;
  readonly url: URL;
  readonly body?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Never used twice. */
  readonly nonce: string;
}

/** Maximum number of bytes of a POST body that are signed. */
const maxBody = 131_072;

const hmac = (key: string, text: string): string => createHmac("sha256", key).update(text).digest("base64");

/** `2026-01-01T10:00:00.000Z` as `20260101T10:00:00+0000`. */
export const edgeGridTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll("-", "")}+0000`;

/** The header `Authorization` of Akamai's EG1-HMAC-SHA256. */
export const edgeGridAuthorization = (
  { accessToken, clientSecret, clientToken }: EdgeGridClient,
  { body = "", method, nonce, time, url }: EdgeGridRequest,
): string => {
  const timestamp = edgeGridTime(time);
  const unsigned = `EG1-HMAC-SHA256 client_token=${clientToken};access_token=${accessToken};timestamp=${timestamp};nonce=${nonce};`;
  const signsBody = method === "POST" && body !== "";
  const hash = signsBody ? createHash("sha256").update(Buffer.from(body).subarray(0, maxBody)).digest("base64") : "";
  const scheme = url.protocol.slice(0, -1);
  const text = [method, scheme, url.host, `${url.pathname}${url.search}`, "", hash, unsigned].join("\t");
  return `${unsigned}signature=${hmac(hmac(clientSecret, timestamp), text)}`;
};
