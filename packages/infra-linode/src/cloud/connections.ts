import { createHash } from "node:crypto";
import { CapstanError } from "@capstan/contract";
import { requireDefaultCredentials } from "@capstan/kit";
import type { Credentials } from "@capstan/kit/machine";
import { systemClock } from "@capstan/runtime";
import { createLinodeClient } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import type { KubeObject } from "@capstan/schema";
import { parseInTurns, shortJson } from "@capstan/schema/structural";
import type { LinodeProviderOptions } from "../options.ts";
import { linodeError } from "./errors.ts";
import { httpLinodeApi } from "./http-linode-api.ts";
import type { LinodeApi } from "./linode-api.ts";
import type { LinodeGate } from "./linode-gate.ts";
import { linodeGate } from "./linode-gate.ts";

const userAgent = "capstan-infra-linode";
/** Connections remembered; replaced tokens fall out. */
const kept = 100;

/** Keys of a credentials Secret. */
const secretKey = {
  token: "apiToken",
  dnsToken: "dnsToken",
  url: "LINODE_URL",
  apiVersion: "LINODE_API_VERSION",
  ca: "LINODE_CA",
} as const;

interface Target {
  readonly token: string;
  readonly url: string | undefined;
  readonly apiVersion: string;
  readonly ca: string | undefined;
  /** True if a user said where the API is. */
  readonly isUsers: boolean;
}

/**
 * Opens the API for a Secret's credentials, or the provider's own, where those are for the namespace of the object. One connection, and one
 * budget, per token and place.
 */
export type Connect = (credentials: Credentials | undefined, of: ConnectedObject, use?: "dns") => LinodeApi;

/** Whom a connection is for. */
export type ConnectedObject = Pick<KubeObject, "metadata">;

export const connections = (options: LinodeProviderOptions): Connect => {
  const open = new Map<string, LinodeApi>();
  return (credentials, of, use) => {
    const target = targetOf(credentials, options, { of, use });
    const key = createHash("sha256").update(JSON.stringify(target)).digest("hex");
    const found = open.get(key);
    if (found !== undefined) return found;
    const gate = linodeGate(options.clock ?? systemClock);
    const api = httpLinodeApi(clientOf(target, options, gate), gate);
    open.set(key, api);
    const [oldest] = open.keys();
    if (open.size > kept && oldest !== undefined) open.delete(oldest);
    return api;
  };
};

const targetOf = (
  credentials: Credentials | undefined,
  { dns, ...options }: LinodeProviderOptions,
  { of, use }: { readonly of: ConnectedObject; readonly use: "dns" | undefined },
): Target => {
  const own = use === "dns" ? { ...options, ...dns } : options;
  const forDns = use === "dns" ? credentials?.optional(secretKey.dnsToken)?.reveal() : undefined;
  const token = forDns ?? credentials?.required(secretKey.token).reveal() ?? own.token;
  if (token === undefined) {
    throw linodeError(
      "unauthorized",
      "no Linode token: set credentialsRef of the LinodeCluster or LinodeMachine to a Secret with the key apiToken, or set LINODE_TOKEN of the provider",
    );
  }
  if (credentials === undefined) {
    requireDefaultCredentials(options.defaultCredentials, of.metadata.namespace ?? "", "the manager's Linode token");
  }
  const url = credentials?.optional(secretKey.url)?.reveal();
  return {
    token,
    url: url ?? own.endpoint,
    isUsers: url !== undefined,
    apiVersion: credentials?.optional(secretKey.apiVersion)?.reveal() ?? own.apiVersion ?? "v4beta",
    ca: credentials?.optional(secretKey.ca)?.reveal() ?? own.ca,
  };
};

const noUrl = (url: string, isUsers: boolean): CapstanError =>
  new CapstanError({
    code: "linode.url_invalid",
    reason: "LinodeUrlInvalid",
    message: `LINODE_URL${isUsers ? ", in the Secret of credentialsRef," : ""} is ${JSON.stringify(url)}, which is not a URL of HTTP; use one such as https://api.linode.com, or remove it`,
    retry: { kind: "never" },
  });

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Retries are the controller's business: it can do something else meanwhile. */
const clientOf = (
  { token, url, apiVersion, ca, isUsers }: Target,
  options: LinodeProviderOptions,
  { hooks }: Pick<LinodeGate, "hooks">,
): LinodeClient => {
  const guard = isUsers ? options.guard : undefined;
  const whole = url === undefined || url.includes("://") ? url : `https://${url}`;
  if (whole !== undefined && !isHttpUrl(whole)) throw noUrl(url ?? "", isUsers);
  if (whole !== undefined) guard?.check(whole);
  return createLinodeClient({
    token,
    apiVersion,
    userAgent,
    hooks,
    // The server may be a user's, and its answers long.
    parse: (text) => parseInTurns(text, shortJson, JSON.parse),
    retry: { maxRetries: 0 },
    ...(url === undefined ? {} : { url }),
    ...(ca === undefined ? {} : { ca }),
    ...(options.proxyFor === undefined ? {} : { proxyFor: options.proxyFor }),
    ...(guard === undefined ? {} : { lookup: guard.lookup }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
};
