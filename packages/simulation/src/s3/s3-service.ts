import type { Clock } from "@capstan/contract";
import { unescapedIfPossible } from "../text/lenient-text.ts";
import { Refusal } from "../http/refusal.ts";
import type { HttpAnswer, Service, ServiceRequest } from "../http/service.ts";
import { element, xml } from "../http/xml.ts";
import type { S3Account } from "./account.ts";
import { answerParameters, runS3, type S3Call } from "./operations.ts";
import { s3Refusal } from "./s3-refusal.ts";
import { parseQuery, verifySignature } from "./sigv4.ts";

const knownParameters = new Set([
  "x-id",
  "list-type",
  "prefix",
  "max-keys",
  "continuation-token",
  "versions",
  ...answerParameters.keys(),
]);

export interface S3Options {
  /** Whose buckets and keys these are. */
  readonly account: S3Account;
  /** The simulation that it belongs to. */
  readonly cloud: { readonly clock: Clock; save(): Promise<void> };
  /** Default 64 MiB: objects are part of the state. */
  readonly maxObjectBytes?: number;
}

/**
 * Object storage with the S3 protocol and Signature Version 4, path style and virtual hosts. Requests are logged as `<bucket>/<key>`,
 * which is also how faults name them.
 */
export const s3Service = (options: S3Options): Service => ({
  maxBodyBytes: options.maxObjectBytes ?? 64 * 1024 ** 2,
  describe: (request) => {
    const { bucket, key } = targetOf(request);
    return { path: `${bucket}/${key}`, query: withoutSignature(request.query) };
  },
  answer: async (request) => {
    try {
      const call = readCall(request, options);
      const answer = runS3(call, options.account);
      if (call.method === "PUT" || call.method === "DELETE") await options.cloud.save();
      return { headers: {}, body: "", ...answer };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const answer = worded(error);
      return { ...answer, body: request.method === "HEAD" ? "" : answer.body, refusal: error };
    }
  },
  refuse: (refusal) =>
    worded(refusal.status === 413 ? new Refusal(400, refusal.message, { code: "EntityTooLarge" }) : refusal),
});

/** A fault without a code is named by its reason. */
const worded = ({ status, code, message }: Refusal): HttpAnswer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: xml("Error", [
    element("Code", code ?? message),
    element("Message", message),
    element("RequestId", "simulated"),
  ]),
});

/** A signed query gives access as long as it is valid. */
const withoutSignature = (query: string): string =>
  query
    .split("&")
    .filter((pair) => !/^x-amz-/i.test(pair))
    .join("&");

/** Bucket and key of a request, path style or virtual host, unescaped. */
const targetOf = ({ path, headers }: ServiceRequest): { readonly bucket: string; readonly key: string } => {
  const bucketHost = /^(.+)\.(?:127\.0\.0\.1|localhost)(?::\d+)?$/.exec(headers["host"] ?? "");
  const rest = path.slice(1);
  if (bucketHost !== null) return { bucket: bucketHost[1]!, key: unescapedIfPossible(rest) };
  const at = rest.indexOf("/");
  return at < 0
    ? { bucket: unescapedIfPossible(rest), key: "" }
    : { bucket: unescapedIfPossible(rest.slice(0, at)), key: unescapedIfPossible(rest.slice(at + 1)) };
};

const readCall = (request: ServiceRequest, { account, cloud }: S3Options): S3Call => {
  const now = cloud.clock.now();
  const { method, query, headers, body } = request;
  const accessKey = verifySignature(request, { now, secretOf: (id) => account.secretOf(id) });
  const parameters = new Map(parseQuery(query).filter(([name]) => !name.startsWith("X-Amz-")));
  checkKnown(parameters, headers);
  return { method, ...targetOf(request), query: parameters, headers, body, accessKey, now };
};

/** Refuses parameters that older engines of the service do not understand, as they do. */
const checkKnown = (parameters: ReadonlyMap<string, string>, headers: Readonly<Record<string, string>>): void => {
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name)) {
      throw s3Refusal(501, "NotImplemented", `The query parameter ${name} is not supported`, { violation: true });
    }
  }
  for (const name of Object.keys(headers)) {
    if (name.startsWith("x-amz-checksum-") || name === "x-amz-sdk-checksum-algorithm") {
      throw s3Refusal(400, "InvalidArgument", `The header ${name} is not supported`, { violation: true });
    }
  }
};
