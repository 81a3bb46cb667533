import type { ProxyFor } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import { readCredentialsFile } from "@capstan/kit";
import { isCapstanError, Secret } from "@capstan/contract";
import type * as identityTypes from "@azure/identity";
import type { TokenCredential } from "@azure/identity";
import { azureError } from "../arm/arm-error.ts";
import type { TokenSource } from "../arm/arm-client.ts";
import { redacted } from "../arm/redact.ts";
import { certificateText } from "./certificate-text.ts";
import { readIdentityCredential } from "./identity-credential.ts";

/** Who is to act, and by what that is proved. */
export type Principal =
  | { readonly type: "ClientSecret"; readonly tenant: string; readonly client: string; readonly secret: Secret<string> }
  | {
      readonly type: "Certificate";
      readonly tenant: string;
      readonly client: string;
      /** PEM of certificate and private key, or the file that holds them, which may be PKCS#12 too. */
      readonly certificate: { readonly pem: Secret<string> } | { readonly path: string };
    }
  | { readonly type: "Federated"; readonly tenant: string; readonly client: string; readonly tokenFile: string }
  /** A user-assigned identity whose credentials stand in a file, which others renew. `environment`: whose authority gives its tokens. */
  | { readonly type: "IdentityCredential"; readonly path: string; readonly environment: string }
  /** The managed identity of the machine that this process runs on. */
  | { readonly type: "Managed"; readonly client: string }
  /** A token that was given, for example by a simulation. */
  | { readonly type: "Token"; readonly token: Secret<string> };

export interface TokenPlace {
  /** For example `https://login.microsoftonline.com`. */
  readonly authority: string;
  readonly audience: string;
  readonly ca?: string;
  readonly proxyFor?: ProxyFor;
  /** Where files are that objects may name. */
  readonly defaultCredentials?: DefaultCredentialsV1 | undefined;
}

type Identity = typeof identityTypes;

const proxyOf = ({ authority, proxyFor }: TokenPlace): object => {
  const uri = proxyFor?.(authority);
  if (uri === undefined) return {};
  const { hostname, password, port, protocol, username } = new URL(uri);
  const host = `${protocol}//${hostname}`;
  const user =
    username === "" ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { proxyOptions: { host, port: Number(port === "" ? (protocol === "https:" ? 443 : 80) : port), ...user } };
};

/** A credential, and the contents of the file that it was made from. */
interface Opened {
  readonly credential: TokenCredential;
  readonly contents: string;
}

type FilePrincipal = Exclude<Principal, { readonly type: "Token" }>;

/**
 * Returns the file that a principal authenticates with, if any, and the field that names it. The file is read again for every token, since
 * others renew it.
 */
const fileOf = (principal: FilePrincipal): { readonly path: string; readonly field: string } | undefined => {
  if (principal.type === "IdentityCredential") {
    return { path: principal.path, field: "spec.userAssignedIdentityCredentialsPath" };
  }
  if (principal.type !== "Certificate" || !("path" in principal.certificate)) return undefined;
  return { path: principal.certificate.path, field: "spec.certPath" };
};

const contentsOf = async (principal: FilePrincipal, { defaultCredentials }: TokenPlace): Promise<Buffer> => {
  const file = fileOf(principal);
  if (file === undefined) return Buffer.alloc(0);
  return readCredentialsFile(defaultCredentials, file.path, `${file.field} of the AzureClusterIdentity`);
};

const credentialOf = (
  {
    ClientCertificateCredential,
    ClientSecretCredential,
    ManagedIdentityCredential,
    WorkloadIdentityCredential,
  }: Identity,
  principal: FilePrincipal,
  contents: Buffer,
  place: TokenPlace,
): TokenCredential => {
  const options = {
    authorityHost: place.authority,
    // The authority is what the user says: no one else is asked whether it may be trusted.
    disableInstanceDiscovery: true,
    retryOptions: { maxRetries: 0 },
    ...(place.ca !== undefined && { tlsOptions: { ca: place.ca } }),
    ...proxyOf(place),
  };
  switch (principal.type) {
    case "ClientSecret":
      return new ClientSecretCredential(principal.tenant, principal.client, principal.secret.reveal(), options);
    case "Certificate": {
      const { certificate, client, tenant } = principal;
      const pem = "pem" in certificate ? certificate.pem.reveal() : certificateText(contents);
      return new ClientCertificateCredential(tenant, client, { certificate: pem }, options);
    }
    case "IdentityCredential": {
      const { certificate, client, tenant } = readIdentityCredential(contents.toString("utf8"), principal.path);
      const chained = { ...options, sendCertificateChain: true };
      return new ClientCertificateCredential(tenant, client, { certificate }, chained);
    }
    case "Federated": {
      const { client: clientId, tenant: tenantId, tokenFile: tokenFilePath } = principal;
      return new WorkloadIdentityCredential({ ...options, clientId, tenantId, tokenFilePath });
    }
    case "Managed":
      return new ManagedIdentityCredential({ clientId: principal.client, retryOptions: { maxRetries: 0 } });
  }
};

const isRefusalStatus = (status: unknown): boolean =>
  typeof status === "number" && status >= 400 && status < 500 && status !== 429;

/** Refusals of the authority carry codes such as AADSTS7000215, those of a machine's own endpoint a status; everything else may pass. */
const isRefusal = (error: unknown): boolean => {
  const { cause, message, statusCode } = error as {
    readonly cause?: { readonly status?: unknown };
    readonly message?: unknown;
    readonly statusCode?: unknown;
  };
  return isRefusalStatus(statusCode) || isRefusalStatus(cause?.status) || /AADSTS\d+/.test(String(message));
};

/** Returns the text of a refusal without the time and the IDs of the request, which would make the message of every retry different. */
const lastingText = (text: string): string =>
  /AADSTS\d+: .*?(?= - [A-Z][A-Za-z ]+: |$)/.exec(text)?.[0] ??
  / - Description: (?<said>.+?) - Correlation ID: /.exec(text)?.groups?.["said"] ??
  text;

const tokenError = (error: unknown, principal: Principal, authority: string): Error => {
  const why = lastingText(redacted(error instanceof Error ? error.message : String(error)).split("\n")[0]!).slice(
    0,
    500,
  );
  const [giver, mend] =
    principal.type === "Managed"
      ? [
          "this machine's identity endpoint",
          `assign this machine the identity ${principal.client}, or correct spec.clientID`,
        ]
      : [authority, "check the AzureClusterIdentity and its Secret"];
  const doing = `could not get a token of ${giver}: ${why}`;
  return isRefusal(error)
    ? azureError("unauthorized", `${doing}; ${mend}`, { cause: error })
    : azureError("unavailable", `${doing}; retrying`, { cause: error });
};

/** Tokens of a principal. They are remembered until shortly before they end. */
export const tokenSource = (principal: Principal, place: TokenPlace): TokenSource => {
  if (principal.type === "Token") return { token: async () => principal.token };
  let opened: Opened | undefined;
  const open = async (): Promise<TokenCredential> => {
    const bytes = await contentsOf(principal, place);
    const contents = bytes.toString("base64");
    if (opened?.contents === contents) return opened.credential;
    // Loaded by those who need it only: it is large.
    const credential = credentialOf(await import("@azure/identity"), principal, bytes, place);
    opened = { credential, contents };
    return credential;
  };
  const scope = `${place.audience.replace(/\/$/, "")}/.default`;
  return {
    refused: () => {
      opened = undefined;
    },
    token: async ({ signal }) => {
      try {
        const token = await (await open()).getToken(scope, { abortSignal: signal });
        if (token === null) throw new Error("no token was given");
        return new Secret(token.token);
      } catch (error) {
        signal.throwIfAborted();
        if (isCapstanError(error)) throw error;
        throw tokenError(error, principal, place.authority);
      }
    },
  };
};
