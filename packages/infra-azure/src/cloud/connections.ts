import { createHash } from "node:crypto";
import type { Clock, Logger, Random } from "@capstan/contract";
import { CapstanError, Secret } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import { armClient } from "../arm/arm-client.ts";
import type { Transport } from "../arm/arm-transport.ts";
import { armTransport } from "../arm/arm-transport.ts";
import { RateGate } from "../arm/rate-gate.ts";
import type { AzureProviderOptions } from "../options.ts";
import type { AzureApi, AzureResource } from "./azure-api.ts";
import { azureApi, listGroup } from "./azure-api.ts";
import { azureEnvironments } from "./azure-environments.ts";
import { KnownResources } from "./known-resources.ts";
import { SkuCatalogue } from "./skus.ts";
import type { Principal } from "./token-source.ts";
import { tokenSource } from "./token-source.ts";

const defaultSyncPeriodMs = 600_000;

/** Connections remembered; replaced secrets fall out. */
const kept = 100;

/** What the provider works with beside its options. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

export interface ConnectRequest {
  /** `spec.azureEnvironment`. */
  readonly environment: string;
  readonly subscription: string;
  readonly principal: Principal;
}

/** Opens a subscription as a principal. Tokens, budgets and lists are shared by all who act as the same one. */
export type Connect = (request: ConnectRequest) => AzureApi;

/** A value with what its secrets hide. */
const revealed = (value: unknown): unknown => {
  if (value instanceof Secret) return value.reveal();
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revealed(part)]));
};

/** The text by which a principal is known, also after its secret was replaced; nobody can read the secret in it. */
const fingerprint = (request: ConnectRequest): string =>
  createHash("sha256")
    .update(JSON.stringify(revealed(request)))
    .digest("hex");

const unknownEnvironment = (name: string): CapstanError =>
  new CapstanError({
    code: "azure.environment_unknown",
    reason: "EnvironmentUnknown",
    message: `spec.azureEnvironment ${name} is none of ${Object.keys(azureEnvironments).join(", ")}`,
    retry: { kind: "never" },
  });

/** Where an environment is, as far as options do not say otherwise. */
const placeOf = (environment: string, options: AzureProviderOptions) => {
  const known = azureEnvironments[environment];
  if (known === undefined) throw unknownEnvironment(environment);
  const endpoint = options.endpoint ?? known.resourceManager;
  return {
    endpoint,
    authority: options.authority ?? known.authority,
    audience: options.audience ?? known.audience,
  };
};

/** Credentials of user-assigned identities say themselves in which cloud they are. */
const authorityOf = (principal: Principal, { authority }: AzureProviderOptions): string | undefined =>
  principal.type === "IdentityCredential"
    ? (authority ?? azureEnvironments[principal.environment]?.authority)
    : undefined;

const uuidOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
};

/** A random UUID. */
const randomUUID = (random: Random): string => uuidOf(random.bytes(16));

export const connections = (options: AzureProviderOptions, around: Surroundings): Connect => {
  const { clock, log, random } = around;
  const { ca, dispatcher, proxyFor, timeoutMs } = options;
  const open = new Map<string, (correlation: string) => AzureApi>();
  let transport: Transport | undefined;
  const openOne = ({ environment, principal, subscription }: ConnectRequest): ((correlation: string) => AzureApi) => {
    const place = placeOf(environment, options);
    transport ??= armTransport({
      clock,
      ...(ca !== undefined && { ca }),
      ...(proxyFor !== undefined && { proxyFor }),
      ...(dispatcher !== undefined && { dispatcher }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const tokens = tokenSource(principal, {
      ...place,
      authority: authorityOf(principal, options) ?? place.authority,
      ...(ca !== undefined && { ca }),
      ...(proxyFor !== undefined && { proxyFor }),
    });
    const client = armClient({ endpoint: place.endpoint, tokens, gate: new RateGate(clock), transport, clock, log });
    const known = new KnownResources<AzureResource>({
      clock,
      periodMs: options.syncPeriodMs ?? defaultSyncPeriodMs,
      list: (group, call) => listGroup(client, group, call),
    });
    const shared = { catalogue: new SkuCatalogue(clock), known, transport };
    return (correlation) => azureApi(client.correlated(correlation), subscription, shared);
  };
  return (request) => {
    const key = fingerprint(request);
    const found = open.get(key) ?? openOne(request);
    open.delete(key);
    open.set(key, found);
    const [oldest] = open.keys();
    if (open.size > kept && oldest !== undefined) open.delete(oldest);
    return found(randomUUID(random));
  };
};
