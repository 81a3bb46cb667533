import { createHash } from "node:crypto";
import type { Clock, Logger, Random } from "@capstan/contract";
import { CapstanError, Secret } from "@capstan/contract";
import { isJsonObject, own } from "@capstan/schema";
import type { ArmCall, TokenSource } from "../arm/arm-client.ts";
import { armClient } from "../arm/arm-client.ts";
import type { Transport } from "../arm/arm-transport.ts";
import { armTransport } from "../arm/arm-transport.ts";
import { armGate } from "../arm/rate-gate.ts";
import { azureDefaults, type AzureProviderOptions } from "../options.ts";
import type { AzureApi, AzureResource } from "./azure-api.ts";
import { azureApi, listGroup, sharedLooks } from "./azure-api.ts";
import { azureEnvironments, azureStack, environmentNames } from "./azure-environments.ts";
import { KnownResources } from "./known-resources.ts";
import { SkuCatalogue } from "./skus.ts";
import type { Principal } from "./token-source.ts";
import { tokenSource } from "./token-source.ts";
import { stackLogin } from "./stack-login.ts";
import { stackVersion } from "./stack-version.ts";

/** Connections remembered; replaced secrets fall out. */
const kept = 100;

/** Clock, random source and log of the provider, which are not among its options. */
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

/** The text by which a principal is known, also after its secret was replaced; no one can read the secret in it. */
const fingerprint = (request: ConnectRequest): string =>
  createHash("sha256")
    .update(JSON.stringify(revealed(request)))
    .digest("hex");

const unknownEnvironment = (name: string): CapstanError =>
  new CapstanError({
    code: "azure.environment_unknown",
    reason: "EnvironmentUnknown",
    message: `spec.azureEnvironment must be one of ${environmentNames.join(", ")}, not ${name}`,
    retry: { kind: "never" },
  });

const stackUnknown = (): CapstanError =>
  new CapstanError({
    code: "azure.stack_unknown",
    reason: "AzureStackUnknown",
    message: `spec.azureEnvironment ${azureStack} needs an endpoint; set AZURE_RESOURCE_MANAGER_ENDPOINT of the manager to its Azure Resource Manager`,
    retry: { kind: "never" },
  });

/** Where an environment is, as far as options do not say otherwise. Azure Stack says itself where its login is. */
const placeOf = (environment: string, options: AzureProviderOptions) => {
  if (environment === azureStack) {
    const { audience, authority, endpoint } = options;
    if (endpoint === undefined) throw stackUnknown();
    return { endpoint, authority, audience };
  }
  const known = own(azureEnvironments, environment);
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
    ? (authority ?? own(azureEnvironments, principal.environment)?.authority)
    : undefined;

/** Tokens of a source that is opened for the first of them. */
const openedLate = (open: (call: ArmCall) => Promise<TokenSource>): TokenSource => {
  let source: TokenSource | undefined;
  return {
    token: async (call) => {
      source ??= await open(call);
      return source.token(call);
    },
    refused: () => source?.refused?.(),
  };
};

const uuidOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
};

/** A random UUID. */
const randomUUID = (random: Random): string => uuidOf(random.bytes(16));

interface Login {
  readonly place: ReturnType<typeof placeOf>;
  readonly options: AzureProviderOptions;
  readonly transport: Transport;
}

const tokensOf = (principal: Principal, { options, place, transport }: Login): TokenSource => {
  const { ca, defaultCredentials, proxyFor } = options;
  const around = { defaultCredentials, ...(ca !== undefined && { ca }), ...(proxyFor !== undefined && { proxyFor }) };
  const open = (login: { readonly authority: string; readonly audience: string }): TokenSource =>
    tokenSource(principal, {
      audience: login.audience,
      authority: authorityOf(principal, options) ?? login.authority,
      ...around,
    });
  const { audience, authority, endpoint } = place;
  if (principal.type === "Token") return open({ audience: "", authority: "" });
  if (audience !== undefined && authority !== undefined) return open({ audience, authority });
  return openedLate(async (call) => {
    const said = await stackLogin(endpoint, transport, call);
    return open({ audience: audience ?? said.audience, authority: authority ?? said.authority });
  });
};

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
    const tokens = tokensOf(principal, { place, options, transport });
    const client = armClient({
      endpoint: place.endpoint,
      tokens,
      gate: armGate(clock),
      transport,
      clock,
      log,
      ...(environment === azureStack && { versionOf: stackVersion }),
    });
    const known = new KnownResources<AzureResource>({
      clock,
      periodMs: options.syncPeriodMs ?? azureDefaults.syncPeriodMs,
      list: (group, call) => listGroup(client, group, call),
    });
    const stackEndpoint = environment === azureStack ? place.endpoint : undefined;
    const shared = {
      catalogue: new SkuCatalogue(clock),
      known,
      looks: sharedLooks(client, clock),
      transport,
      stackEndpoint,
    };
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
