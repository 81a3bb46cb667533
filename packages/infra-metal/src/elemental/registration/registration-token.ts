import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";

/** Who issues the tokens of registrations. */
const issuer = "ElementalRegistrationReconciler";
const nanosecondsPerSecond = 1_000_000_000;

/** PKCS#8 PEM of a new Ed25519 key. */
export const newPrivateKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();

/** PKIX PEM of the public half of a key. */
export const publicKeyOf = (privateKey: string): string =>
  createPublicKey(privateKey).export({ format: "pem", type: "spki" }).toString();

export interface TokenOptions {
  readonly privateKey: string;
  readonly uri: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Nanoseconds; 0: forever; negative: it is expired from the beginning. */
  readonly duration?: number | undefined;
}

/** Signs the token that hosts present when they register. */
export const signRegistrationToken = ({ duration = 0, now, privateKey, uri }: TokenOptions): Promise<string> => {
  const seconds = Math.floor(now / 1000);
  const token = new SignJWT({})
    .setProtectedHeader({ alg: "EdDSA" })
    .setIssuer(issuer)
    .setSubject(uri)
    .setAudience(uri)
    .setIssuedAt(seconds)
    .setNotBefore(seconds);
  if (duration !== 0) token.setExpirationTime(seconds + Math.trunc(duration / nanosecondsPerSecond));
  return token.sign(createPrivateKey(privateKey));
};

/** Tolerated difference between clocks, in seconds. */
const clockTolerance = 2;

/** Milliseconds until a valid token has expired; `undefined`: it never does. */
export const leftOf = (token: string, now: number): number | undefined => {
  const { exp } = decodeJwt(token);
  return exp === undefined ? undefined : Math.max(0, (exp + clockTolerance) * 1000 - now);
};

/** Milliseconds that a valid token lives in all; `undefined`: forever. */
export const lifeOf = (token: string): number | undefined => {
  const { exp, iat } = decodeJwt(token);
  return exp === undefined || iat === undefined ? undefined : (exp - iat) * 1000;
};

/** Returns what is wrong with a token of the registration with this `privateKey`, as a clause; `undefined` when it is valid. */
export const faultOfRegistrationToken = async (
  token: string,
  { now, privateKey, uri }: Omit<TokenOptions, "duration">,
): Promise<string | undefined> => {
  try {
    await jwtVerify(token, createPublicKey(privateKey), {
      algorithms: ["EdDSA"],
      issuer,
      subject: uri,
      audience: uri,
      currentDate: new Date(now),
      requiredClaims: ["nbf"],
      clockTolerance,
    });
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
};

/** Clause for a token whose only fault is that it has expired. */
export const expired = "it has expired";

/** Returns what is wrong with a token, as a clause. Rethrows errors that are not about the token. */
export const faultOf = (error: unknown): string => {
  if (error instanceof errors.JWTExpired) return expired;
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is not as it must be`;
  if (error instanceof errors.JOSEError) return "it is not signed with the right key";
  throw error;
};
