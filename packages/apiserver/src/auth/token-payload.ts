import { createHash, type KeyObject } from "node:crypto";
import type { Clock } from "@capstan/contract";
import { readPublicKey } from "@capstan/pki";
import type { JWTPayload } from "jose";

const rememberedTokens = 1_000;

/** A key whose tokens are accepted. */
export interface VerificationKey {
  readonly publicKey: KeyObject;
  readonly alg: "RS256" | "ES256" | "ES384";
  /** As kube-apiserver names keys: the hash of the public key. */
  readonly kid: string;
}

/** Loaded with the first token: a server starts without. */
export const jose = () => import("jose");

/** The `kid` of a token; `undefined` when it names none, or is not a token at all: verifying will tell. */
const keyNamed = async (token: string): Promise<string | undefined> => {
  const { decodeProtectedHeader } = await jose();
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

/** The key of a public key in PEM. */
export const verificationKey = (pem: string): VerificationKey => {
  const publicKey = readPublicKey(pem);
  const der = publicKey.export({ format: "der", type: "spki" });
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  const isP384 = publicKey.asymmetricKeyDetails?.namedCurve === "secp384r1";
  return {
    publicKey,
    alg: isRsa ? "RS256" : isP384 ? "ES384" : "ES256",
    kid: createHash("sha256").update(der).digest("base64url"),
  };
};

/** Reads tokens whose signature and times are in order; the rest is `undefined`. The last ones are remembered. */
export const payloadReader = (options: {
  readonly keys: ReadonlyMap<string, VerificationKey>;
  /** The `kid` of tokens that name none. */
  readonly usual: string;
  readonly issuer: string;
  readonly clock: Clock;
}): ((token: string) => Promise<JWTPayload | undefined>) => {
  const { keys, usual, issuer, clock } = options;
  const verified = new Map<string, JWTPayload>();
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined && (known.exp === undefined || known.exp * 1000 > clock.now())) {
      return known;
    }
    const { errors, jwtVerify } = await jose();
    try {
      const key = keys.get((await keyNamed(token)) ?? usual);
      if (key === undefined) {
        return undefined;
      }
      const { payload } = await jwtVerify(token, key.publicKey, {
        issuer,
        algorithms: [key.alg],
        currentDate: new Date(clock.now()),
      });
      if (verified.size >= rememberedTokens) {
        verified.clear();
      }
      verified.set(token, payload);
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        return undefined;
      }
      throw error;
    }
  };
};
