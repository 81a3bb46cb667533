import { delegationKeyValue } from "./delegation-key.ts";
import { signatureOf } from "./shared-key.ts";
import type { StorageAccount } from "./storage-account.ts";

/** The parameters of a shared access signature, `sig` left out. */
export type SasParameters = ReadonlyMap<string, string>;

/** Fields at the end of the text to sign, shared by both kinds of signatures. */
const common = ["sip", "spr", "sv", "sr"] as const;
const overrides = ["rscc", "rscd", "rsce", "rscl", "rsct"] as const;
/** From these versions on, signatures by keys of identities may be for one user, and for requests with certain headers and parameters. */
const usersSince = "2025-07-05";
const requestsSince = "2026-04-06";

/** The oldest form that is understood: from here on encryption scopes are signed. */
export const oldestVersion = "2020-12-06";

/** The account, the container, and the blob if the signature is for one. */
export interface SignedResource {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
}

const resourcePath = ({ account, container, blob }: SignedResource): string =>
  `/blob/${account}/${container}${blob === "" ? "" : `/${blob}`}`;

/** The text that a service SAS, or one in the name of an identity, signs. */
export const sasText = (parameters: SasParameters, resource: SignedResource): string => {
  const value = (name: string): string => parameters.get(name) ?? "";
  const values = (names: readonly string[]): readonly string[] => names.map(value);
  const first = [...values(["sp", "st", "se"]), resourcePath(resource)];
  // Neither snapshots nor encryption scopes nor limits to requests are here, but their places are signed.
  const last = [...values(common), "", ""];
  if (!parameters.has("skoid")) return [...first, value("si"), ...last, ...values(overrides)].join("\n");
  const key = values(["skoid", "sktid", "skt", "ske", "sks", "skv"]);
  const users = values(["saoid", "suoid", "scid"]);
  const delegated = value("sv") < usersSince ? [] : values(["skdutid", "sduoid"]);
  const requests = value("sv") < requestsSince ? [] : ["", ""];
  return [...first, ...key, ...users, ...delegated, ...last, ...requests, ...values(overrides)].join("\n");
};

/** The key that such a signature is made with: the account's, or the one that was handed to the identity. */
export const sasKeys = (parameters: SasParameters, account: StorageAccount): readonly string[] => {
  const value = (name: string): string => parameters.get(name) ?? "";
  if (!parameters.has("skoid")) return account.keys;
  return [
    delegationKeyValue(account, {
      objectId: value("skoid"),
      tenantId: value("sktid"),
      start: value("skt"),
      expiry: value("ske"),
      service: value("sks"),
      version: value("skv"),
    }),
  ];
};

/** A blob, and how long anybody with the URL may read it. */
export interface SignedBlob {
  /** URL of the Blob service, without a slash at its end. */
  readonly serviceUrl: string;
  readonly account: StorageAccount;
  readonly container: string;
  readonly blob: string;
  readonly expiresAt: number;
}

const withoutMilliseconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** A URL by which a blob can be read without credentials, for simulators that hand out such URLs themselves. */
export const signedBlobUrl = ({ serviceUrl, account, container, blob, expiresAt }: SignedBlob): string => {
  const parameters = new Map([
    ["sv", "2022-11-02"],
    ["se", withoutMilliseconds(expiresAt)],
    ["sr", "b"],
    ["sp", "r"],
  ]);
  const sig = signatureOf(account.keys[0] ?? "", sasText(parameters, { account: account.name, container, blob }));
  const path = [account.name, container, ...blob.split("/")].map(encodeURIComponent).join("/");
  return `${serviceUrl}/${path}?${new URLSearchParams([...parameters, ["sig", sig]]).toString()}`;
};
