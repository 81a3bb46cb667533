import { isJsonObject } from "@capstan/schema";
import { azureError } from "../arm/arm-error.ts";
import { certificateText } from "./certificate-text.ts";

/** Contents of a file with the credentials of a user-assigned identity, as the data plane of managed identities writes it. */
export interface IdentityCredential {
  readonly tenant: string;
  readonly client: string;
  /** Certificate and private key, PEM. */
  readonly certificate: string;
}

const textIn = (value: unknown, name: string): string | undefined => {
  const text = isJsonObject(value) ? value[name] : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
};

/** Reads the contents of such a file. Throws `azure.unauthorized`, and `pki.bad_key` for its certificate. */
export const readIdentityCredential = (contents: string, path: string): IdentityCredential => {
  let value: unknown;
  try {
    value = JSON.parse(contents);
  } catch (error) {
    throw azureError("unauthorized", `the credentials file ${path} of the identity is not valid JSON; replace it`, {
      cause: new Error(error instanceof Error ? error.name : "no JSON"),
    });
  }
  const required = (name: string): string => {
    const text = textIn(value, name);
    if (text !== undefined) return text;
    throw azureError("unauthorized", `the credentials file ${path} of the identity has no ${name}; replace it`);
  };
  return {
    tenant: required("tenant_id"),
    client: required("client_id"),
    certificate: certificateText(Buffer.from(required("client_secret"), "base64")),
  };
};
