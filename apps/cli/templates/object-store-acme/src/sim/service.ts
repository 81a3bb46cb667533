import { timingSafeEqual } from "node:crypto";
import { Refusal, type HttpAnswer, type Service, type ServiceRequest } from "@capstan/simulation";
import { signatureOf } from "../signature.ts";
import type { Account, StoredObject } from "./account.ts";

/** A key of the account, which may do everything. */
export interface AccountKey {
  readonly access: string;
  readonly secret: string;
}

const metadataPrefix = "x-acme-meta-";
const pageSize = 1000;

const answer = (status: number, body: Uint8Array | string = "", headers: Readonly<Record<string, string>> = {}) =>
  ({ status, headers, body }) satisfies HttpAnswer;

const missing = (what: "bucket" | "object"): HttpAnswer => answer(404, `no such ${what}`, { "x-acme-missing": what });

const same = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));

/** Throws a `Refusal` unless the request is of someone who knows the secret. */
const admit = ({ headers, method, path, query }: ServiceRequest, key: AccountKey, now: number): void => {
  const parameters = new URLSearchParams(query);
  const signature = parameters.get("signature");
  if (signature === null) {
    const wanted = `Basic ${Buffer.from(`${key.access}:${key.secret}`).toString("base64")}`;
    if (!same(headers["authorization"] ?? "", wanted)) throw new Refusal(401, "access or secret is wrong");
    return;
  }
  const expires = Number(parameters.get("expires"));
  const isOfKey = parameters.get("access") === key.access && (method === "GET" || method === "PUT");
  if (!isOfKey || !same(signature, signatureOf({ method, path, expires }, key.secret))) {
    throw new Refusal(403, "the signature is wrong");
  }
  if (expires * 1000 <= now) throw new Refusal(403, "the URL has expired");
  if (method === "PUT" && headers["if-none-match"] !== "*") throw new Refusal(403, "If-None-Match is missing");
};

const put = (
  objects: Record<string, StoredObject>,
  key: string,
  { body, headers }: Pick<ServiceRequest, "body" | "headers">,
): HttpAnswer => {
  if (headers["if-none-match"] === "*" && Object.hasOwn(objects, key)) return answer(412, "the object exists");
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith(metadataPrefix));
  objects[key] = { body: Buffer.from(body).toString("base64"), metadata: Object.fromEntries(metadata) };
  return answer(200);
};

const get = (method: string, { body, metadata }: StoredObject): HttpAnswer => {
  const bytes = Buffer.from(body, "base64");
  const headers = { ...metadata, "content-length": String(bytes.length), "content-type": "application/octet-stream" };
  return answer(200, method === "HEAD" ? "" : bytes, headers);
};

const list = (objects: Readonly<Record<string, StoredObject>>, query: string): HttpAnswer => {
  const parameters = new URLSearchParams(query);
  const [prefix, after] = [parameters.get("prefix") ?? "", parameters.get("after") ?? ""];
  const keys = Object.keys(objects)
    .filter((key) => key.startsWith(prefix) && key > after)
    .toSorted();
  const page = keys.slice(0, pageSize);
  const next = keys.length > page.length ? { next: page.at(-1) } : {};
  return answer(200, JSON.stringify({ keys: page, ...next }), { "content-type": "application/json" });
};

const operate = (request: ServiceRequest, account: Account): HttpAnswer => {
  const [, bucket = "", ...rest] = request.path.split("/");
  const key = rest.map(decodeURIComponent).join("/");
  const objects = Object.hasOwn(account.buckets, bucket) ? account.buckets[bucket] : undefined;
  if (objects === undefined) return missing("bucket");
  const { method } = request;
  if (key === "" && method === "GET") return list(objects, request.query);
  if (method === "PUT") return put(objects, key, request);
  const found = Object.hasOwn(objects, key) ? objects[key] : undefined;
  if (found === undefined) return missing("object");
  if (method === "GET" || method === "HEAD") return get(method, found);
  if (method !== "DELETE") throw new Refusal(405, `${method} is not known here`, { violation: true });
  delete objects[key];
  return answer(204);
};

/** Acme's object storage. */
export const storeService = (options: {
  readonly account: Account;
  readonly key: AccountKey;
  readonly now: () => number;
  readonly save: () => Promise<void>;
}): Service => {
  const { account, key, now, save } = options;
  const refuse: Service["refuse"] = ({ status, message }) => answer(status, message);
  return {
    maxBodyBytes: 101 * 1024 ** 2,
    // Queries may be signed: the log does not keep them.
    describe: ({ path }) => ({ path }),
    refuse,
    answer: async (request) => {
      try {
        admit(request, key, now());
        const answered = operate(request, account);
        if (request.method === "PUT" || request.method === "DELETE") await save();
        return answered;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { ...refuse(error), refusal: error };
      }
    },
  };
};
