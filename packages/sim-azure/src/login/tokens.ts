import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "@capstan/schema";
import type { Principal, World } from "../world.ts";

/** The audience of tokens for a simulated Azure Stack Hub. */
export const stackAudience = "https://management.simulated.onmicrosoft.example/12345678";

/** Claims of a token about its principal. */
export interface TokenClaims {
  readonly aud: string;
  readonly iss: string;
  readonly tid: string;
  readonly appid: string;
  readonly oid: string;
  /** Seconds since the epoch. */
  readonly nbf: number;
  readonly exp: number;
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const signatureOf = (text: string, key: string): string => createHmac("sha256", key).update(text).digest("base64url");

/** A token in the form of a JSON web token. */
export const issueToken = (claims: TokenClaims, key: string): string => {
  const text = `${part({ typ: "JWT", alg: "HS256" })}.${part(claims)}`;
  return `${text}.${signatureOf(text, key)}`;
};

const lifetimeSeconds = 3599;

/** A token that says who a principal is, for an audience such as the URL of the resource manager. */
export const tokenFor = (
  { clientId, objectId }: Principal,
  aud: string,
  { clock, state, tenantId, url }: World,
): { readonly token: string; readonly claims: TokenClaims } => {
  const nbf = Math.floor(clock.now() / 1000);
  const claims = {
    aud: aud.replace(/\/$/, ""),
    iss: `${url()}/${tenantId}/v2.0`,
    tid: tenantId,
    appid: clientId,
    oid: objectId,
    nbf,
    exp: nbf + lifetimeSeconds,
  };
  return { token: issueToken(claims, state.key), claims };
};

/** A token for the resource manager that does not end. */
export const lastingToken = ({ clientId, objectId }: Principal, { isStack, state, tenantId, url }: World): string => {
  const ours = { iss: url(), tid: tenantId, appid: clientId, oid: objectId };
  return issueToken({ ...ours, aud: isStack ? stackAudience : url(), nbf: 0, exp: 1e11 }, state.key);
};

/** Returns the claims of a token that was signed with the key, `undefined` for any other. Does not check its expiry. */
export const readToken = (token: string, key: string): TokenClaims | undefined => {
  const [header = "", claims = "", signature = "", ...more] = token.split(".");
  const wanted = Buffer.from(signatureOf(`${header}.${claims}`, key));
  const given = Buffer.from(signature);
  if (more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return claimsOf(claims) as TokenClaims | undefined;
};

/** The claims of a token whose signature is not looked at. */
export const claimsOf = (part64: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(part64, "base64url").toString());
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
};
