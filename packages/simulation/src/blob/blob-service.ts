import type { Clock } from "@capstan/contract";
import { Refusal } from "../http/refusal.ts";
import type { HttpAnswer, Service, ServiceRequest } from "../http/service.ts";
import { element, xml } from "../http/xml.ts";
import { accessOf, isSasParameter } from "./access.ts";
import { accountOperations } from "./account-operations.ts";
import type { BlobAnswer, BlobCall } from "./blob-call.ts";
import { blobOperations } from "./blob-operations.ts";
import { blobRefusal } from "./blob-refusal.ts";
import { parametersOf, targetOf } from "./blob-request.ts";
import { containerOperations } from "./container-operations.ts";
import type { BlobIdentity, StorageAccount } from "./storage-account.ts";

export interface BlobOptions {
  /** The storage accounts that there are at the moment of a request. */
  readonly accounts: () => readonly StorageAccount[];
  /** Whose access token it is, at this account. Default: no token is accepted. */
  readonly identityOf?: (token: string, account: string) => BlobIdentity | undefined;
  /** The simulation that it belongs to. */
  readonly cloud: { readonly clock: Clock; save(): Promise<void> };
  /** Default 64 MiB: blobs are part of the state. */
  readonly maxObjectBytes?: number;
}

/**
 * Azure Blob Storage: block blobs that are sent at once, in containers of storage accounts, with keys, access tokens and shared access
 * signatures. The account is the first part of the path. Requests are logged as `<account>/<container>/<blob>`, which is also how faults
 * name them.
 */
export const blobService = (options: BlobOptions): Service => ({
  maxBodyBytes: options.maxObjectBytes ?? 64 * 1024 ** 2,
  describe: (request) => {
    const { account, container, blob } = targetOf(request);
    const path = [account, container, blob].filter((name) => name !== "").join("/");
    return { path, query: withoutSignature(request.query) };
  },
  answer: async (request) => {
    try {
      const call = readCall(request, options);
      const answer = run(call);
      if (["PUT", "DELETE"].includes(call.method)) await options.cloud.save();
      return completed(answer, request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const answer = worded(error);
      const isBare = request.method === "HEAD" || error.status === 304;
      return { ...completed(answer, request), ...(isBare && { body: "" }), refusal: error };
    }
  },
  refuse: (refusal) =>
    worded(refusal.status === 413 ? blobRefusal(413, "RequestBodyTooLarge", refusal.message) : refusal),
});

/** A fault without a code is named by its reason. */
const worded = ({ code, headers, message, status }: Refusal): HttpAnswer => ({
  status,
  headers: { ...headers, "content-type": "application/xml", "x-ms-error-code": code ?? message },
  body: xml("Error", [element("Code", code ?? message), element("Message", message)]),
});

const completed = (answer: BlobAnswer, { headers }: ServiceRequest): HttpAnswer => {
  const { "x-ms-client-request-id": id, "x-ms-version": version } = headers;
  const echoed = {
    ...(id !== undefined && { "x-ms-client-request-id": id }),
    ...(version !== undefined && { "x-ms-version": version }),
  };
  return { body: "", ...answer, headers: { "x-ms-request-id": "simulated", ...echoed, ...answer.headers } };
};

/** A signed query gives access as long as it is valid. */
const withoutSignature = (query: string): string =>
  query
    .split("&")
    .filter((pair) => !isSasParameter(pair.split("=", 1)[0] ?? ""))
    .join("&");

const readCall = (request: ServiceRequest, options: BlobOptions): BlobCall => {
  const { body, headers, method, serverUrl } = request;
  const target = targetOf(request);
  const account = options.accounts().find(({ name }) => name === target.account);
  if (account === undefined) throw blobRefusal(404, "ResourceNotFound", "There is no such storage account.");
  const parameters = parametersOf(request);
  const now = options.cloud.clock.now();
  const identityOf = (token: string): BlobIdentity | undefined => options.identityOf?.(token, account.name);
  const access = accessOf(request, { account, target, parameters, now, identityOf });
  checkKnown(parameters, headers);
  const accountUrl = `${serverUrl}/${account.name}`;
  return { method, target, account, access, parameters, headers, body, accountUrl, now };
};

type Operations = Readonly<Record<string, (call: BlobCall) => BlobAnswer>>;

const operationsOf = ({ parameters, target: { blob, container } }: BlobCall): Operations => {
  const type = parameters.get("restype");
  if (type === undefined && blob !== "") return blobOperations;
  if (type === "container" && container !== "" && blob === "") return containerOperations;
  return type === "service" && container === "" ? accountOperations : {};
};

const run = (call: BlobCall): BlobAnswer => {
  const { method, parameters } = call;
  const name = [method, parameters.get("comp") ?? ""].join(" ").trimEnd();
  const operations = operationsOf(call);
  if (Object.hasOwn(operations, name)) return operations[name]!(call);
  const type = parameters.get("restype");
  const why = `${name}${type === undefined ? "" : ` of a ${type}`} is not supported here`;
  throw blobRefusal(501, "NotImplemented", why, { violation: true });
};

const operationParameters = new Set(["restype", "comp", "prefix", "marker", "maxresults", "include", "timeout"]);

const serviceHeaders = new Set([
  "x-ms-date",
  "x-ms-version",
  "x-ms-client-request-id",
  "x-ms-blob-type",
  "x-ms-blob-content-type",
  "x-ms-range",
  "x-ms-delete-snapshots",
  "x-ms-return-client-request-id",
]);

/**
 * Refuses parameters and headers that the service does not understand: ignoring them would do something other than was
 * asked for.
 */
const checkKnown = (parameters: ReadonlyMap<string, string>, headers: Readonly<Record<string, string>>): void => {
  for (const name of parameters.keys()) {
    if (operationParameters.has(name) || isSasParameter(name)) continue;
    throw blobRefusal(400, "InvalidQueryParameterValue", `The query parameter ${name} is not supported`, {
      violation: true,
    });
  }
  for (const name of Object.keys(headers)) {
    if (!name.startsWith("x-ms-") || name.startsWith("x-ms-meta-") || serviceHeaders.has(name)) continue;
    throw blobRefusal(400, "UnsupportedHeader", `The header ${name} is not supported`, { violation: true });
  }
  const version = headers["x-ms-version"];
  if (version === undefined ? headers["authorization"] !== undefined : !/^\d{4}-\d\d-\d\d$/.test(version)) {
    throw blobRefusal(400, "InvalidHeaderValue", "x-ms-version must be the date of a version", { violation: true });
  }
};
