import type { Clock } from "@capstan/contract";
import { Refusal, type ServiceRequest } from "@capstan/simulation";
import { edgeGridAuthorization, type EdgeGridClient, edgeGridTime } from "@capstan/linode-client/edge-grid";

/** Tolerance for the offset of a client's clock, in milliseconds. */
const toleranceMs = 30_000;

const parts =
  /^EG1-HMAC-SHA256 client_token=[^;]+;access_token=[^;]+;timestamp=(?<timestamp>[^;]+);nonce=(?<nonce>[^;]+);signature=[^;]+$/;

const unauthorized = (detail: string): Refusal => new Refusal(401, detail);

/** `20260101T10:00:00+0000` in milliseconds since the epoch. */
const parsed = (timestamp: string): number =>
  Date.parse(timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(.*)\+0000$/, "$1-$2-$3T$4Z"));

/** Checks signatures as Akamai does: of this client, of this time, and each once. */
export const signatureCheck = (client: EdgeGridClient, clock: Clock): ((request: ServiceRequest) => string) => {
  const used = new Set<string>();
  return ({ body, headers, method, path, query, serverUrl }) => {
    const given = headers["authorization"] ?? "";
    const { nonce, timestamp } = parts.exec(given)?.groups ?? {};
    if (nonce === undefined || timestamp === undefined) throw unauthorized("Missing or malformed authorization");
    const time = parsed(timestamp);
    if (Number.isNaN(time) || edgeGridTime(time) !== timestamp || Math.abs(clock.now() - time) > toleranceMs) {
      throw unauthorized("Invalid timestamp");
    }
    const url = new URL(`${serverUrl}${path}${query === "" ? "" : `?${query}`}`);
    const text = Buffer.from(body).toString();
    if (edgeGridAuthorization(client, { method, url, body: text, time, nonce }) !== given) {
      throw unauthorized("The signature does not match");
    }
    if (used.has(nonce)) throw unauthorized("Duplicate nonce");
    used.add(nonce);
    return client.clientToken;
  };
};
