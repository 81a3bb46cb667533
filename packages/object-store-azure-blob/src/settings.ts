import { storeError } from "./errors.ts";

/** An application that is registered at Microsoft Entra, with its secret. */
export interface ClientIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** URL of the login service; `undefined`: that of the public cloud. */
  readonly authorityHost: string | undefined;
}

/** An identity without a secret: of the pod by a federated token in a file, or of the machine that the program runs on. */
export type OwnIdentity =
  | {
      readonly type: "workload";
      readonly tenantId: string;
      readonly clientId: string;
      readonly authorityHost: string | undefined;
    }
  /** Without a client, the only one of the machine. */
  | { readonly type: "managed"; readonly clientId: string | undefined };

/** Where a container is and how to reach it, checked. */
export interface StoreSettings {
  readonly account: string;
  readonly container: string;
  /** URL of the account's blobs, without a slash at its end. */
  readonly endpoint: string;
  /** Base64. */
  readonly accountKey: string | undefined;
  /** For a Secret without key; both `undefined`: the application's own identity. */
  readonly client: ClientIdentity | undefined;
  readonly identity: OwnIdentity | undefined;
  /** PEM. */
  readonly ca: string | undefined;
}

type Data = Readonly<Record<string, string>>;

const invalid = (why: string) => storeError("invalidConfig", "open the object store", why);

/** `AccountName=a;AccountKey=k;...`, as the portal shows it. */
const partsOf = (text: string): Data =>
  Object.fromEntries(
    text
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part.includes("="))
      .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
  );

const said = (data: Data, key: string): string | undefined => data[key]?.trim() || undefined;

const required = (key: string, value: string | undefined): string => {
  if (value !== undefined) return value;
  throw invalid(`the Secret has no "${key}"`);
};

const urlOf = (key: string, text: string): string => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid(`"${key}" must be an http or https URL`);
  if (url.search !== "" || url.hash !== "") throw invalid(`"${key}" must have no query`);
  if (url.username !== "" || url.password !== "") throw invalid(`"${key}" must not contain a user or password`);
  return url.href.replace(/\/+$/, "");
};

const authorityOf = (data: Data): string | undefined => {
  const authority = said(data, "authorityHost");
  return authority === undefined ? undefined : urlOf("authorityHost", authority);
};

const identityOf = (data: Data): OwnIdentity | undefined => {
  const type = said(data, "identity");
  if (type === undefined) return undefined;
  if (said(data, "clientSecret") !== undefined) throw invalid(`"identity" and "clientSecret" are mutually exclusive`);
  const clientId = said(data, "clientId");
  if (type === "managed") return { type, clientId };
  if (type !== "workload") throw invalid(`"identity" must be workload or managed`);
  const tenantId = required("tenantId", said(data, "tenantId"));
  return { type, tenantId, clientId: required("clientId", clientId), authorityHost: authorityOf(data) };
};

/** All of it or nothing: half of it is someone's slip. */
const clientOf = (data: Data): ClientIdentity | undefined => {
  const keys = ["tenantId", "clientId", "clientSecret"] as const;
  if (keys.every((key) => said(data, key) === undefined)) return undefined;
  const [tenantId, clientId, clientSecret] = keys.map((key) => required(key, said(data, key))) as [
    string,
    string,
    string,
  ];
  return { tenantId, clientId, clientSecret, authorityHost: authorityOf(data) };
};

/** Reads the data of a credentials Secret. Throws `objectstore.invalid_config` naming the key. */
export const readSettings = (data: Data): StoreSettings => {
  const parts = partsOf(data["connectionString"] ?? "");
  const account = required("account", said(data, "account") ?? said(parts, "AccountName"));
  const container = required("container", said(data, "container"));
  const suffix = said(parts, "EndpointSuffix") ?? "core.windows.net";
  const endpoint = said(data, "endpoint") ?? said(parts, "BlobEndpoint") ?? `https://${account}.blob.${suffix}`;
  const accountKey = said(data, "accountKey") ?? said(parts, "AccountKey");
  if (!/^[a-z0-9]{3,24}$/.test(account)) throw invalid(`"account" must be 3 to 24 lowercase letters and digits`);
  if (!/^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(container)) {
    throw invalid(`"container" must be 3 to 63 lowercase letters, digits and single hyphens`);
  }
  if (accountKey !== undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(accountKey)) {
    throw invalid(`"accountKey" must be base64, as the portal shows it`);
  }
  const identity = accountKey === undefined ? identityOf(data) : undefined;
  const client = accountKey === undefined && identity === undefined ? clientOf(data) : undefined;
  const sasToken = said(data, "sasToken") ?? said(parts, "SharedAccessSignature");
  if (accountKey === undefined && client === undefined && identity === undefined && sasToken !== undefined) {
    throw invalid(
      `a SAS token cannot sign URLs; set "accountKey", "identity", or "tenantId", "clientId" and "clientSecret"`,
    );
  }
  return {
    account,
    container,
    endpoint: urlOf("endpoint", endpoint),
    accountKey,
    client,
    identity,
    ca: said(data, "ca.crt"),
  };
};
