import { createHash, createHmac } from "node:crypto";

interface Wanted {
  /** URL of the object, without a query. */
  readonly url: string;
  readonly method: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expiresSeconds: number;
  /** That the request has to have. Default: any. */
  readonly contentType?: string | undefined;
  /** That the answer is to have. Default: none. */
  readonly disposition?: string | undefined;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** A URL that is signed with a key of the account (Signature Version 4 in the query). */
export const signedObjectUrl = (wanted: Wanted): string => {
  const { url, method, region, accessKey, secretKey, now, expiresSeconds, contentType, disposition } = wanted;
  const { host, pathname } = new URL(url);
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const scope = [date.slice(0, 8), region, "s3", "aws4_request"];
  const headers = { ...(contentType === undefined ? {} : { "content-type": contentType }), host };
  const signed = Object.keys(headers).join(";");
  const query = Object.entries({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [accessKey, ...scope].join("/"),
    "X-Amz-Date": date,
    "X-Amz-Expires": String(expiresSeconds),
    "X-Amz-SignedHeaders": signed,
    ...(disposition === undefined ? {} : { "response-content-disposition": disposition }),
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const canonical = [method, pathname, query, ...lines, "", signed, "UNSIGNED-PAYLOAD"].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const key = scope.reduce<string | Buffer>((outer, part) => hmac(outer, part), `AWS4${secretKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", date, scope.join("/"), hash].join("\n")).toString("hex");
  return `${url}?${query}&X-Amz-Signature=${signature}`;
};
