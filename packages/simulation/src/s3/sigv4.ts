import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Refusal } from "../http/refusal.ts";
import { s3Refusal } from "./s3-refusal.ts";

/** A request as it came over the wire. */
export interface SignedRequest {
  readonly method: string;
  /** Still escaped. */
  readonly path: string;
  /** Without the question mark, still escaped. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface VerifyOptions {
  /** The secret of an access key id, `undefined` if there is no such key. */
  readonly secretOf: (accessKey: string) => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const algorithm = "AWS4-HMAC-SHA256";
const skewMs = 15 * 60_000;
const maxExpiresSeconds = 604_800;

/** Returns the access key id that signed the request, in its headers or its query; throws the S3 answer otherwise. */
export const verifySignature = (request: SignedRequest, options: VerifyOptions): string => {
  const query = parseQuery(request.query);
  const header = request.headers["authorization"];
  if (header !== undefined) return verifyHeader(request, header, query, options);
  if (query.some(([name]) => name === "X-Amz-Signature")) return verifyQuery(request, query, options);
  throw s3Refusal(403, "AccessDenied", "Access Denied");
};

type Query = readonly (readonly [name: string, value: string])[];

interface Claim {
  readonly scope: readonly string[];
  readonly accessKey: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly payloadHash: string;
  readonly query: Query;
}

const verifyHeader = (request: SignedRequest, header: string, query: Query, options: VerifyOptions): string => {
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(
    header,
  );
  if (parts === null) throw malformed("The authorization header is malformed");
  const payloadHash = request.headers["x-amz-content-sha256"];
  if (payloadHash === undefined) throw s3Refusal(400, "MissingSecurityHeader", "x-amz-content-sha256 is required");
  const date = request.headers["x-amz-date"] ?? "";
  const [credential, signedHeaders, signature] = parts.slice(1) as [string, string, string];
  const claim = {
    ...scopeOf(credential),
    signedHeaders: signedHeaders.split(";"),
    signature,
    date,
    payloadHash,
    query,
  };
  if (Math.abs(parseDate(date) - options.now) > skewMs) {
    throw s3Refusal(403, "RequestTimeTooSkewed", "The difference between the request time and now is too large");
  }
  checkSignature(request, claim, options);
  checkPayload(request, payloadHash);
  return claim.accessKey;
};

const verifyQuery = (request: SignedRequest, query: Query, options: VerifyOptions): string => {
  const value = (name: string): string => {
    const found = query.find(([key]) => key === name);
    if (found === undefined) throw queryError(`${name} is required`);
    return found[1];
  };
  if (value("X-Amz-Algorithm") !== algorithm) throw queryError("X-Amz-Algorithm only supports AWS4-HMAC-SHA256");
  const expires = Number(value("X-Amz-Expires"));
  if (!(expires >= 1 && expires <= maxExpiresSeconds)) throw queryError("X-Amz-Expires must be 1 to 604800 seconds");
  const date = value("X-Amz-Date");
  const claim = {
    ...scopeOf(value("X-Amz-Credential")),
    signedHeaders: value("X-Amz-SignedHeaders").split(";"),
    signature: value("X-Amz-Signature"),
    date,
    payloadHash: request.headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD",
    query: query.filter(([name]) => name !== "X-Amz-Signature"),
  };
  const signedAt = parseDate(date);
  if (signedAt > options.now + skewMs) throw s3Refusal(403, "AccessDenied", "Request is not yet valid");
  if (options.now > signedAt + expires * 1000) throw s3Refusal(403, "AccessDenied", "Request has expired");
  checkSignature(request, claim, options);
  return claim.accessKey;
};

const scopeOf = (credential: string): Pick<Claim, "accessKey" | "scope"> => {
  const [accessKey = "", ...scope] = credential.split("/");
  if (scope.length !== 4 || scope[2] !== "s3" || scope[3] !== "aws4_request") {
    throw malformed("The credential must be <key>/<date>/<region>/s3/aws4_request");
  }
  return { accessKey, scope };
};

const checkSignature = (request: SignedRequest, claim: Claim, options: VerifyOptions): void => {
  const secret = options.secretOf(claim.accessKey);
  if (secret === undefined) throw s3Refusal(403, "InvalidAccessKeyId", "The access key id does not exist");
  if (!claim.signedHeaders.includes("host")) throw malformed("host must be a signed header");
  const expected = Buffer.from(signatureOf(request, claim, secret));
  const given = Buffer.from(claim.signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw s3Refusal(403, "SignatureDoesNotMatch", "The request signature does not match the signature you provided");
  }
};

const checkPayload = (request: SignedRequest, payloadHash: string): void => {
  if (payloadHash === "UNSIGNED-PAYLOAD") return;
  if (payloadHash.startsWith("STREAMING-")) {
    throw s3Refusal(501, "NotImplemented", "Streamed payload signatures are not supported", { violation: true });
  }
  if (sha256(request.body) !== payloadHash) {
    throw s3Refusal(400, "XAmzContentSHA256Mismatch", "The payload does not match its hash");
  }
};

const signatureOf = (request: SignedRequest, claim: Claim, secret: string): string => {
  const [day = "", region = "", service = "", terminator = ""] = claim.scope;
  const text = [algorithm, claim.date, claim.scope.join("/"), sha256(canonicalRequest(request, claim))].join("\n");
  const key = [day, region, service, terminator].reduce<string | Buffer>(
    (parent, part) => createHmac("sha256", parent).update(part).digest(),
    `AWS4${secret}`,
  );
  return createHmac("sha256", key).update(text).digest("hex");
};

/** S3 escapes the path once and leaves dots and double slashes alone. */
const canonicalRequest = (request: SignedRequest, claim: Claim): string =>
  [
    request.method,
    request.path
      .split("/")
      .map((part) => escape(decode(part)))
      .join("/"),
    claim.query
      .map(([name, value]) => `${escape(name)}=${escape(value)}`)
      .sort()
      .join("&"),
    ...claim.signedHeaders.map((name) => `${name}:${(request.headers[name] ?? "").trim().replaceAll(/\s+/g, " ")}`),
    "",
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");

const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw s3Refusal(400, "InvalidURI", "Couldn't parse the specified URI");
  }
};

/** Names and values unescaped, in the order of the request. */
export const parseQuery = (query: string): Query =>
  query === ""
    ? []
    : query.split("&").map((pair) => {
        const at = pair.indexOf("=");
        return at < 0 ? [decode(pair), ""] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
      });

const parseDate = (date: string): number => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (parts === null) throw malformed("X-Amz-Date must be an ISO 8601 basic date");
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

const malformed = (message: string): Refusal => s3Refusal(400, "AuthorizationHeaderMalformed", message);

const queryError = (message: string): Refusal => s3Refusal(400, "AuthorizationQueryParametersError", message);
