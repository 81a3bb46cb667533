import { createHash, type KeyObject } from "node:crypto";
import type { Clock, Random } from "@capstan/contract";
import { readPrivateKey, readPublicKey, type ServiceAccountKeys } from "@capstan/pki";
import type { JWTPayload } from "jose";
import { randomUid } from "../registry/metadata.ts";
import type { ResourceStore, User } from "../model/types.ts";
import type { TokenAuthenticator } from "./authenticator.ts";

export const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

const rememberedTokens = 1_000;

/** An object whose deletion voids a token. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret" | "Node";
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequest {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Default: does not expire. */
  readonly expiresInSeconds?: number;
  /** Default: the issuer itself. */
  readonly audiences?: readonly string[];
  readonly bound?: BoundObject;
  /** The node of the Pod that the token is bound to; uid empty when it is not registered. */
  readonly node?: { readonly name: string; readonly uid: string };
}

interface AccountClaims {
  readonly namespace: string;
  readonly serviceaccount: { readonly name: string; readonly uid: string };
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
}

export interface ServiceAccountTokens {
  readonly issuer: string;
  sign(request: TokenRequest): Promise<string>;
  /** The user of a token for one of `audiences` (default: the issuer), while the account and the bound object exist. */
  verify(
    token: string,
    audiences?: readonly string[],
  ): Promise<{ user: User; audiences: readonly string[] } | undefined>;
  readonly authenticator: TokenAuthenticator;
  /** The JSON web key set that verifies the tokens. */
  jwks(): { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}

/** How long a token outlives the deletion of what it depends on. */
const leewayMs = 60_000;

interface Reference {
  readonly name: string;
  readonly uid: string;
}

interface Living {
  readonly store: ResourceStore;
  readonly now: number;
}

const living = ({ store, now }: Living, plural: string, namespace: string, { name, uid }: Reference) => {
  const object = store.peek({ group: "", plural }, { namespace, name });
  const going = object?.metadata.deletionTimestamp;
  const isGone = going !== undefined && Date.parse(going) + leewayMs < now;
  return object?.metadata.uid !== uid || isGone ? undefined : object;
};

/** Whether what the token depends on exists. The Node of a Pod's token is only told, the Pod decides. */
const dependsOnLiving = (given: Living, claims: AccountClaims, token: string, payload: JWTPayload): boolean => {
  const { namespace, serviceaccount, pod, secret, node } = claims;
  const holder = secret === undefined ? undefined : living(given, "secrets", namespace, secret);
  const held = (holder?.["data"] as Readonly<Record<string, string>> | undefined)?.["token"] ?? "";
  // A token that does not expire counts as long as its Secret holds it.
  const isHeld = payload.exp !== undefined || secret === undefined || atob(held) === token;
  return (
    living(given, "serviceaccounts", namespace, serviceaccount) !== undefined &&
    (secret === undefined || holder !== undefined) &&
    isHeld &&
    (pod === undefined || living(given, "pods", namespace, pod) !== undefined) &&
    (node === undefined || pod !== undefined || living(given, "nodes", "", node) !== undefined)
  );
};

const extraOf = (kind: "pod" | "node", reference: Reference | undefined) =>
  reference === undefined
    ? {}
    : {
        [`authentication.kubernetes.io/${kind}-name`]: [reference.name],
        ...(reference.uid === "" ? {} : { [`authentication.kubernetes.io/${kind}-uid`]: [reference.uid] }),
      };

const userOf = (given: Living, token: string, payload: JWTPayload): User | undefined => {
  const claims = payload["kubernetes.io"] as AccountClaims | undefined;
  const account = claims?.serviceaccount;
  if (claims === undefined || account === undefined || !dependsOnLiving(given, claims, token, payload)) {
    return undefined;
  }
  const { namespace, pod, node } = claims;
  return {
    name: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    extra: {
      ...(payload.jti === undefined ? {} : { "authentication.kubernetes.io/credential-id": [`JTI=${payload.jti}`] }),
      ...extraOf("pod", pod),
      ...extraOf("node", node),
    },
  };
};

interface VerificationKey {
  readonly publicKey: KeyObject;
  readonly alg: "RS256" | "ES256" | "ES384";
  /** As kube-apiserver names keys: the hash of the public key. */
  readonly kid: string;
}

/** Loaded with the first token: a server starts without. */
const jose = () => import("jose");

/** The `kid` of a token; `undefined` when it names none, or is no token at all: verifying will tell. */
const keyNamed = async (token: string): Promise<string | undefined> => {
  const { decodeProtectedHeader } = await jose();
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
};

const verificationKey = (pem: string): VerificationKey => {
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

/** Signs and verifies ServiceAccount tokens (RS256 or ES256, by the key). */
export const serviceAccountTokens = (options: {
  readonly keys: ServiceAccountKeys;
  /** PEM public keys whose tokens are accepted besides. */
  readonly verificationKeys?: readonly string[];
  readonly issuer: string;
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly random: Random;
}): ServiceAccountTokens => {
  const { store, clock, issuer } = options;
  const { privateKey } = readPrivateKey(options.keys.privateKey);
  const keys = new Map(
    [options.keys.publicKey, ...(options.verificationKeys ?? [])].map((pem) => {
      const key = verificationKey(pem);
      return [key.kid, key];
    }),
  );
  const { kid, alg } = verificationKey(options.keys.publicKey);
  const verified = new Map<string, JWTPayload>();

  const payloadOf = async (token: string): Promise<JWTPayload | undefined> => {
    const known = verified.get(token);
    if (known !== undefined && (known.exp === undefined || known.exp * 1000 > clock.now())) {
      return known;
    }
    const { errors, jwtVerify } = await jose();
    try {
      const key = keys.get((await keyNamed(token)) ?? kid);
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
  const verify: ServiceAccountTokens["verify"] = async (token, audiences = [issuer]) => {
    const payload = token.split(".").length === 3 ? await payloadOf(token) : undefined;
    const given = payload === undefined ? [] : [payload.aud ?? []].flat();
    const common = audiences.filter((audience) => given.includes(audience));
    const user =
      payload === undefined || common.length === 0 ? undefined : userOf({ store, now: clock.now() }, token, payload);
    return user === undefined ? undefined : { user, audiences: common };
  };
  return {
    issuer,
    verify,
    authenticator: async (token) => (await verify(token))?.user,
    jwks: () => ({
      keys: [...keys.values()].map((key) => ({
        ...key.publicKey.export({ format: "jwk" }),
        use: "sig",
        alg: key.alg,
        kid: key.kid,
      })),
    }),
    sign: async ({ namespace, name, uid, expiresInSeconds, audiences = [issuer], bound, node }) => {
      const now = Math.floor(clock.now() / 1000);
      const claims: AccountClaims = {
        namespace,
        serviceaccount: { name, uid },
        ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
        ...(node === undefined ? {} : { node }),
      };
      const { SignJWT } = await jose();
      const unsigned = new SignJWT({ "kubernetes.io": claims })
        .setProtectedHeader({ alg, kid })
        .setIssuer(issuer)
        .setSubject(`system:serviceaccount:${namespace}:${name}`)
        .setAudience([...audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setJti(randomUid((length) => options.random.bytes(length)));
      return await (
        expiresInSeconds === undefined ? unsigned : unsigned.setExpirationTime(now + expiresInSeconds)
      ).sign(privateKey);
    },
  };
};
