import { describe, expect, it } from "vitest";
import { verifySignature } from "./sigv4.ts";
import type { SignedRequest } from "./sigv4.ts";

/** The worked examples of "Signature Version 4" in the Amazon S3 API reference. */
const accessKey = "AKIAIOSFODNN7EXAMPLE";
const secretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const signedAt = Date.UTC(2013, 4, 24);
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const host = "examplebucket.s3.amazonaws.com";
const credential = `${accessKey}/20130524/us-east-1/s3/aws4_request`;

const options = (now = signedAt, secret: string | undefined = secretKey) => ({
  now,
  secretOf: (key: string) => (key === accessKey ? secret : undefined),
});

const signed = (
  request: Partial<SignedRequest> & Pick<SignedRequest, "path">,
  signedHeaders: string,
  signature: string,
): SignedRequest => ({
  method: "GET",
  query: "",
  body: new Uint8Array(),
  ...request,
  headers: {
    host,
    "x-amz-date": "20130524T000000Z",
    "x-amz-content-sha256": emptyHash,
    ...request.headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signedHeaders},Signature=${signature}`,
  },
});

const common = "host;x-amz-content-sha256;x-amz-date";
const examples = {
  "GET object": signed(
    { path: "/test.txt", headers: { range: "bytes=0-9" } },
    "host;range;x-amz-content-sha256;x-amz-date",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  ),
  "PUT object": signed(
    {
      method: "PUT",
      path: "/test%24file.text",
      body: Buffer.from("Welcome to Amazon S3."),
      headers: {
        date: "Fri, 24 May 2013 00:00:00 GMT",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
        "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      },
    },
    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ),
  "GET bucket lifecycle": signed(
    { path: "/", query: "lifecycle" },
    common,
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ),
  "GET bucket (list)": signed(
    { path: "/", query: "max-keys=2&prefix=J" },
    common,
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ),
};

const presigned: SignedRequest = {
  method: "GET",
  path: "/test.txt",
  query: [
    "X-Amz-Algorithm=AWS4-HMAC-SHA256",
    `X-Amz-Credential=${encodeURIComponent(credential)}`,
    "X-Amz-Date=20130524T000000Z",
    "X-Amz-Expires=86400",
    "X-Amz-SignedHeaders=host",
    "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  ].join("&"),
  headers: { host },
  body: new Uint8Array(),
};

describe("published examples", () => {
  it.each(Object.entries(examples))("%s", (_name, request) => {
    expect(verifySignature(request, options())).toBe(accessKey);
  });

  it("presigned GET", () => {
    expect(verifySignature(presigned, options(signedAt + 86_400_000))).toBe(accessKey);
  });
});

describe("refusals", () => {
  const get = examples["GET object"];
  const put = examples["PUT object"];
  const cases: readonly (readonly [name: string, request: SignedRequest, code: string, now: number])[] = [
    ["another path", { ...get, path: "/other.txt" }, "SignatureDoesNotMatch", signedAt],
    ["another method", { ...get, method: "DELETE" }, "SignatureDoesNotMatch", signedAt],
    [
      "another signed header",
      { ...get, headers: { ...get.headers, range: "bytes=0-8" } },
      "SignatureDoesNotMatch",
      signedAt,
    ],
    ["another query", { ...get, query: "a=b" }, "SignatureDoesNotMatch", signedAt],
    ["another body", { ...put, body: Buffer.from("Welcome") }, "XAmzContentSHA256Mismatch", signedAt],
    ["a clock that is off", get, "RequestTimeTooSkewed", signedAt + 16 * 60_000],
    ["no signature", { ...get, headers: { host } }, "AccessDenied", signedAt],
    [
      "an unreadable header",
      { ...get, headers: { host, authorization: "Basic x" } },
      "AuthorizationHeaderMalformed",
      signedAt,
    ],
    ["an expired URL", presigned, "AccessDenied", signedAt + 86_401_000],
    ["a URL from the future", presigned, "AccessDenied", signedAt - 16 * 60_000],
    ["a URL for another object", { ...presigned, path: "/other.txt" }, "SignatureDoesNotMatch", signedAt],
    [
      "a URL with a longer life",
      { ...presigned, query: presigned.query.replace("86400", "86500") },
      "SignatureDoesNotMatch",
      signedAt,
    ],
    [
      "a URL with too long a life",
      { ...presigned, query: presigned.query.replace("86400", "604801") },
      "AuthorizationQueryParametersError",
      signedAt,
    ],
    [
      "a URL without a date",
      { ...presigned, query: presigned.query.replace("X-Amz-Date=20130524T000000Z&", "") },
      "AuthorizationQueryParametersError",
      signedAt,
    ],
  ];
  it.each(cases)("%s", (_name, request, code, now) => {
    expect(() => verifySignature(request, options(now))).toThrow(expect.objectContaining({ code }));
  });

  it("an unknown key and a wrong secret", () => {
    const unknown = { now: signedAt, secretOf: () => undefined };
    expect(() => verifySignature(get, unknown)).toThrow(expect.objectContaining({ code: "InvalidAccessKeyId" }));
    const wrong = options(signedAt, "other");
    expect(() => verifySignature(get, wrong)).toThrow(expect.objectContaining({ code: "SignatureDoesNotMatch" }));
  });
});
