import type { Clock, Random } from "@capstan/contract";
import { readPrivateKey, type ServiceAccountKeys } from "@capstan/pki";
import { isJsonObject } from "@capstan/schema";
import type { JWTPayload } from "jose";
import { randomUid } from "../registry/metadata.ts";
import type { ResourceStore, User } from "../model/types.ts";
import type { TokenAuthenticator } from "./authenticator.ts";
import { jose, payloadReader, type VerificationKey, verificationKey } from "./token-payload.ts";

export const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

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

/** Time for which a token outlives the deletion of an object it depends on. */
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

/** Returns whether what the token depends on exists. The Node of a Pod's token is only told, the Pod decides. */
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

/** The claims about an account and what its token is bound to, if they are that; null stands for an absent one. */
const accountClaims = (payload: JWTPayload): AccountClaims | undefined => {
  const given = payload["kubernetes.io"];
  const claims = isJsonObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([, claim]) => claim !== null))
    : {};
  const { serviceaccount, pod = {}, secret = {}, node = {} } = claims;
  return [serviceaccount, pod, secret, node].every(isJsonObject) ? (claims as unknown as AccountClaims) : undefined;
};

const userOf = (given: Living, token: string, payload: JWTPayload): User | undefined => {
  const claims = accountClaims(payload);
  if (claims === undefined || !dependsOnLiving(given, claims, token, payload)) {
    return undefined;
  }
  const { namespace, serviceaccount: account, pod, node } = claims;
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
  const signing = verificationKey(options.keys.publicKey);
  const keys = new Map(
    [signing, ...(options.verificationKeys ?? []).map(verificationKey)].map((key) => [key.kid, key]),
  );
  const payloadOf = payloadReader({ keys, usual: signing.kid, issuer, clock });
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
    sign: signer({ ...options, key: signing }),
  };
};

/** Makes tokens with the server's own key. */
const signer = (options: {
  readonly keys: ServiceAccountKeys;
  readonly key: VerificationKey;
  readonly issuer: string;
  readonly clock: Clock;
  readonly random: Random;
}): ServiceAccountTokens["sign"] => {
  const { issuer, clock, random } = options;
  const { alg, kid } = options.key;
  const { privateKey } = readPrivateKey(options.keys.privateKey);
  return async ({ namespace, name, uid, expiresInSeconds, audiences = [issuer], bound, node }) => {
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
      .setJti(randomUid((length) => random.bytes(length)));
    return await (expiresInSeconds === undefined ? unsigned : unsigned.setExpirationTime(now + expiresInSeconds)).sign(
      privateKey,
    );
  };
};
