import { createHmac } from "node:crypto";
import type { RequestPolicyFactory, WebResource } from "@azure/storage-blob";
import type { Clock } from "@capstan/contract";
import { byText } from "@capstan/kube-values";

/** Headers whose values are signed, in this order. The date is in `x-ms-date`. */
const signedHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
] as const;

const textOf = ({ headers, method, url }: WebResource, account: string): string => {
  const { pathname, searchParams } = new URL(url);
  const values = signedHeaders.map((name) => {
    const value = name === "" ? "" : (headers.get(name) ?? "");
    return name === "content-length" && value === "0" ? "" : value;
  });
  const own = headers
    .headersArray()
    .map(({ name, value }) => [name.toLowerCase(), value.trim()] as const)
    .filter(([name]) => name.startsWith("x-ms-"))
    .sort(([left], [right]) => byText(left, right))
    .map(([name, value]) => `${name}:${value}`);
  const parameters = [...searchParams]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([left], [right]) => byText(left, right))
    .map(([name, value]) => `${name}:${value}`);
  return [method, ...values, ...own, `/${account}${pathname}`, ...parameters].join("\n");
};

/** Signs requests with an account key, dated by the application's clock: the SDK itself reads that of the computer. */
export const signRequests = (account: string, accountKey: string, clock: Clock): RequestPolicyFactory => ({
  create: (next) => ({
    sendRequest: (request) => {
      request.headers.set("x-ms-date", new Date(clock.now()).toUTCString());
      const mac = createHmac("sha256", Buffer.from(accountKey, "base64")).update(textOf(request, account), "utf8");
      request.headers.set("authorization", `SharedKey ${account}:${mac.digest("base64")}`);
      return next.sendRequest(request);
    },
  }),
});
