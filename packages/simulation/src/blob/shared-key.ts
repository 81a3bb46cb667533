import { createHmac, timingSafeEqual } from "node:crypto";
import { byText } from "@capstan/kube-values";
import type { ServiceRequest } from "../http/service.ts";
import { notAuthenticated } from "./blob-refusal.ts";
import { parametersOf } from "./blob-request.ts";
import type { StorageAccount } from "./storage-account.ts";

const skewMs = 15 * 60_000;

/** Headers whose values are signed, in this order. */
const signedHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
] as const;

/** The signature of a text by a key in base64. */
export const signatureOf = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64")).update(text, "utf8").digest("base64");

/** Returns whether one of the keys has signed the text. */
export const isSignedBy = (keys: readonly string[], text: string, signature: string): boolean => {
  const given = Buffer.from(signature);
  return keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, text));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
};

/** Throws unless a key of the account has signed the request and its date is near. */
export const checkSharedKey = (
  request: ServiceRequest,
  { account, now }: { readonly account: StorageAccount; readonly now: number },
): void => {
  const { headers } = request;
  const [, name, signature] = /^SharedKey ([a-z0-9]+):([A-Za-z0-9+/]+=*)$/.exec(headers["authorization"] ?? "") ?? [];
  if (name === undefined || signature === undefined) throw notAuthenticated("The Authorization header is malformed.");
  if (name !== account.name) throw notAuthenticated("The key is for another account.");
  const date = Date.parse(headers["x-ms-date"] ?? headers["date"] ?? "");
  if (Number.isNaN(date)) throw notAuthenticated("x-ms-date is missing or is no date.");
  if (Math.abs(date - now) > skewMs) throw notAuthenticated("Request date header too old or in the future.");
  const text = stringToSign(request, account.name);
  if (!isSignedBy(account.keys, text, signature)) {
    throw notAuthenticated("The MAC signature found in the HTTP request is not the same as any computed signature.");
  }
};

const stringToSign = (request: ServiceRequest, account: string): string => {
  const { headers, method } = request;
  const values = signedHeaders.map((name) => {
    const value = headers[name] ?? "";
    if (name === "content-length") return value === "0" ? "" : value;
    return name === "date" && headers["x-ms-date"] !== undefined ? "" : value;
  });
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-ms-"))
    .sort(([left], [right]) => byText(left, right))
    .map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, " ")}`);
  const parameters = [...parametersOf(request)]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([left], [right]) => byText(left, right))
    .map(([name, value]) => `${name}:${value}`);
  return [method, ...values, ...own, [`/${account}${request.path}`, ...parameters].join("\n")].join("\n");
};
