import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { rootCertificates } from "node:tls";
import type { ContainerClient, StorageSharedKeyCredential, UserDelegationKey } from "@azure/storage-blob";
import { storeError } from "./errors.ts";
import { checkName, guardAgent } from "./guard-agent.ts";
import { refuseForeignAnswers } from "./foreign-answers.ts";
import { limitAnswers } from "./limit-answers.ts";
import { azureBlobDefaults, type AzureBlobObjectStoreOptions, type TokenCredential } from "./options.ts";
import type { ClientIdentity, OwnIdentity, StoreSettings } from "./settings.ts";
import { signRequests } from "./sign-requests.ts";

/** The SDK, loaded when a store is first used. */
const loadSdk = () => import("@azure/storage-blob");

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** An open container, and what signs its URLs until a time in milliseconds. */
export interface Connection {
  readonly sdk: Sdk;
  readonly container: ContainerClient;
  readonly signer: (until: number, signal: AbortSignal) => Promise<StorageSharedKeyCredential | UserDelegationKey>;
}

/**
 * Returns the connection settings for an address, from the Secret's certificate and the application's proxies: nothing
 * is read from the environment.
 */
const wayTo = (address: string, { ca }: StoreSettings, { guard, proxyFor }: AzureBlobObjectStoreOptions) => {
  const proxy = proxyFor?.(address);
  guard?.check(address);
  const options = {
    keepAlive: false,
    ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  const secure = { ...options, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) };
  const agent = address.startsWith("https:") ? new HttpsAgent(secure) : new HttpAgent(options);
  limitAnswers(agent);
  if (guard !== undefined && proxy === undefined) guardAgent(agent, guard);
  return { agent };
};

/** Clocks that are off by so much may still use what was signed here. */
export const clockSkewMs = 300_000;

const attemptsOf = ({ maxAttempts = azureBlobDefaults.maxAttempts }: AzureBlobObjectStoreOptions): number =>
  maxAttempts;

const publicAuthority = "https://login.microsoftonline.com";

/** Returns the options by which credentials request tokens from a login service. */
const loginOptions = (authorityHost: string, settings: StoreSettings, options: AzureBlobObjectStoreOptions) => ({
  authorityHost,
  // The Secret says who logs in where; no one else needs to know of it.
  disableInstanceDiscovery: authorityHost !== publicAuthority,
  retryOptions: { maxRetries: attemptsOf(options) - 1, retryDelayInMs: 200, maxRetryDelayInMs: 2000 },
  ...wayTo(authorityHost, settings, options),
});

/** Where a proxy resolves the name, it also decides. */
const checkLogin = async (authorityHost: string, { guard, proxyFor }: AzureBlobObjectStoreOptions): Promise<void> => {
  if (guard !== undefined && proxyFor?.(authorityHost) === undefined) await checkName(authorityHost, guard);
};

const clientCredential = async (
  { authorityHost = publicAuthority, clientId, clientSecret, tenantId }: ClientIdentity,
  settings: StoreSettings,
  options: AzureBlobObjectStoreOptions,
): Promise<TokenCredential> => {
  const { ClientSecretCredential } = await import("@azure/identity");
  await checkLogin(authorityHost, options);
  return new ClientSecretCredential(tenantId, clientId, clientSecret, loginOptions(authorityHost, settings, options));
};

/** Where the token of a pod with workload identity is. */
const defaultTokenFile = "/var/run/secrets/azure/tokens/azure-identity-token";

const ownCredential = async (
  identity: OwnIdentity,
  settings: StoreSettings,
  options: AzureBlobObjectStoreOptions,
): Promise<TokenCredential> => {
  const { ManagedIdentityCredential, WorkloadIdentityCredential } = await import("@azure/identity");
  if (identity.type === "managed") {
    const { clientId } = identity;
    return new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
  }
  const { authorityHost = publicAuthority, clientId, tenantId } = identity;
  const { federatedTokenFile: tokenFilePath = defaultTokenFile } = options;
  await checkLogin(authorityHost, options);
  return new WorkloadIdentityCredential({
    ...loginOptions(authorityHost, settings, options),
    clientId,
    tenantId,
    tokenFilePath,
  });
};

const credentialOf = async (
  settings: StoreSettings,
  options: AzureBlobObjectStoreOptions,
): Promise<TokenCredential | undefined> => {
  const { client, identity } = settings;
  if (client !== undefined) return clientCredential(client, settings, options);
  return identity === undefined ? options.credential : ownCredential(identity, settings, options);
};

/** Connects without a call. */
export const connect = async (settings: StoreSettings, options: AzureBlobObjectStoreOptions): Promise<Connection> => {
  const sdk = await loadSdk();
  const { account, accountKey, container, endpoint } = settings;
  const shared = accountKey === undefined ? undefined : new sdk.StorageSharedKeyCredential(account, accountKey);
  const identity = shared === undefined ? await credentialOf(settings, options) : undefined;
  if (shared === undefined && identity === undefined) {
    const why = `the Secret has no "accountKey", "clientId" or "identity", and the application has no identity`;
    throw storeError("invalidConfig", "open the object store", why);
  }
  const pipeline = sdk.newPipeline(shared === undefined ? identity : undefined, {
    retryOptions: { maxTries: attemptsOf(options), retryDelayInMs: 200, maxRetryDelayInMs: 2000 },
    userAgentOptions: { userAgentPrefix: "capstan" },
    ...wayTo(endpoint, settings, options),
  });
  pipeline.factories.push(refuseForeignAnswers);
  if (accountKey !== undefined) pipeline.factories.push(signRequests(account, accountKey, options.clock));
  const service = new sdk.BlobServiceClient(endpoint, pipeline);
  return {
    sdk,
    container: service.getContainerClient(container),
    signer: async (until, abortSignal) =>
      shared ??
      service.getUserDelegationKey(new Date(options.clock.now() - clockSkewMs), new Date(until), { abortSignal }),
  };
};
