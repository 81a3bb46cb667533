import { createPublicKey } from "node:crypto";
import { decodeJwt, jwtVerify } from "jose";
import { faultOf } from "../registration/registration-token.ts";

/** Longest life of a host's token, in seconds: it is made for one request. */
const longestLife = 600;
/** Tolerated error of the clocks of hosts, in seconds. */
const clockTolerance = 30;

/** Returns what is wrong with the token of a host, as a clause; `undefined` when it is valid. */
export const faultOfHostToken = async (
  token: string,
  {
    host,
    now,
    publicKey,
    uri,
  }: { readonly host: string; readonly now: number; readonly publicKey: string; readonly uri: string },
): Promise<string | undefined> => {
  try {
    await jwtVerify(token, createPublicKey(publicKey), {
      algorithms: ["EdDSA"],
      subject: host,
      audience: uri,
      currentDate: new Date(now),
      requiredClaims: ["exp", "nbf"],
      clockTolerance,
    });
  } catch (error) {
    return faultOf(error);
  }
  const { exp = 0, nbf = 0 } = decodeJwt(token);
  return exp - nbf > longestLife ? `it is valid for more than ${longestLife} s` : undefined;
};

/** Returns whether a text is the PEM of an Ed25519 key. */
export const isHostKey = (publicKey: string): boolean => {
  try {
    return createPublicKey(publicKey).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
};
