import type { IncomingMessage } from "node:http";
import type { HttpInterface } from "../http-server.ts";
import { flatHeaders } from "../http-server.ts";
import type { SimulatorState } from "../state.ts";
import { runS3 } from "./operations.ts";
import type { S3Call } from "./operations.ts";
import { S3Error } from "./s3-error.ts";
import { parseQuery, verifySignature } from "./sigv4.ts";
import { element, xml } from "./xml.ts";

const knownParameters = new Set(["x-id", "list-type", "prefix", "max-keys", "continuation-token"]);

interface Options {
  readonly state: SimulatorState;
  readonly now: () => number;
  readonly save: () => Promise<void>;
}

/** Object storage as an HTTP interface. Requests are logged as `<bucket>/<key>`, which is also how faults name them. */
export const objectStorage = (options: Options): HttpInterface => ({
  describe: (request) => {
    const { bucket, key } = targetOf(request);
    return { path: `${bucket}/${key}`, family: undefined };
  },
  answer: async (request, body) => {
    try {
      const call = readCall(request, body, options);
      const answer = runS3(call, options.state);
      if (call.method === "PUT" || call.method === "DELETE") await options.save();
      return { headers: {}, body: "", ...answer, violation: false };
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      const { status, code, message, violation } = error;
      const text = request.method === "HEAD" ? "" : errorBody(code, message);
      return { ...failure(status, text), violation, reason: message };
    }
  },
  failure: (status, reason) => failure(status, errorBody(reason, reason)),
});

const failure = (status: number, body: string) => ({ status, headers: { "content-type": "application/xml" }, body });

const errorBody = (code: string, message: string): string =>
  xml("Error", [element("Code", code), element("Message", message), element("RequestId", "simulated")]);

/** Bucket and key of a request, path style or virtual host, unescaped. */
const targetOf = (request: Pick<IncomingMessage, "url" | "headers">): { bucket: string; key: string } => {
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  const bucketHost = /^(.+)\.(?:127\.0\.0\.1|localhost)(?::\d+)?$/.exec(request.headers.host ?? "");
  const rest = path.slice(1);
  if (bucketHost !== null) return { bucket: bucketHost[1]!, key: unescape(rest) };
  const at = rest.indexOf("/");
  return at < 0
    ? { bucket: unescape(rest), key: "" }
    : { bucket: unescape(rest.slice(0, at)), key: unescape(rest.slice(at + 1)) };
};

/** What cannot be unescaped stays as it is; the signature check refuses it. */
const unescape = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const readCall = (request: IncomingMessage, body: Uint8Array, { state, now }: Options): S3Call => {
  const url = request.url ?? "/";
  const at = url.indexOf("?");
  const query = at < 0 ? "" : url.slice(at + 1);
  const headers = flatHeaders(request);
  const signed = { method: request.method ?? "GET", path: at < 0 ? url : url.slice(0, at), query, headers, body };
  const accessKey = verifySignature(signed, {
    now: now(),
    secretOf: (id) => state.keys.find((key) => key.accessKey === id)?.secretKey,
  });
  const parameters = new Map(parseQuery(query).filter(([name]) => !name.startsWith("X-Amz-")));
  checkKnown(parameters, headers);
  return { method: signed.method, ...targetOf(request), query: parameters, headers, body, accessKey, now: now() };
};

/** What older engines of the service do not understand is refused, as they do. */
const checkKnown = (parameters: ReadonlyMap<string, string>, headers: Readonly<Record<string, string>>): void => {
  for (const name of parameters.keys()) {
    if (!knownParameters.has(name)) {
      throw new S3Error(501, "NotImplemented", `The query parameter ${name} is not supported`, { violation: true });
    }
  }
  for (const name of Object.keys(headers)) {
    if (name.startsWith("x-amz-checksum-") || name === "x-amz-sdk-checksum-algorithm") {
      throw new S3Error(400, "InvalidArgument", `The header ${name} is not supported`, { violation: true });
    }
  }
};
