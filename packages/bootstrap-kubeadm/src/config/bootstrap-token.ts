import { CapstanError, isCapstanError, rfc3339, type Clock, type Random } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { secretBytes, secretText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import { toBase64 } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Group that kubeadm's RBAC lets request a client certificate for a node. */
const nodeGroup = "system:bootstrappers:kubeadm:default-node-token";

/** A fresh token `[a-z0-9]{6}.[a-z0-9]{16}`, uniformly distributed. */
export const newToken = (random: Random): string => `${letters(random, 6)}.${letters(random, 16)}`;

const letters = (random: Random, length: number): string => {
  let text = "";
  // Bytes above the largest multiple of 36 would favour the first letters: they are drawn again.
  while (text.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < 252 && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
};

/** Where API servers look for tokens. */
export const tokenNamespace = "kube-system";

const keyOf = (token: string): { readonly namespace: string; readonly name: string } => ({
  namespace: tokenNamespace,
  name: `bootstrap-token-${token.split(".", 1)[0] ?? ""}`,
});

export interface TokenCall {
  readonly client: Client;
  readonly clock: Clock;
  readonly call: { readonly signal: AbortSignal };
}

/** Writes the token's Secret into the workload cluster; an existing one of the same id is taken over, so a repeated call is harmless. */
export const createToken = async (
  token: string,
  options: TokenCall & { readonly ttlMs: number; readonly description: string },
): Promise<void> => {
  const [id = "", secret = ""] = token.split(".");
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: keyOf(token),
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "token-id": id,
      "token-secret": secret,
      expiration: rfc3339(options.clock.now() + options.ttlMs),
      "usage-bootstrap-signing": "true",
      "usage-bootstrap-authentication": "true",
      "auth-extra-groups": nodeGroup,
      description: options.description,
    },
  };
  try {
    await options.client.create(SecretResource, object, options.call);
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

interface StoredToken {
  readonly secret: KubeObject;
  /** In milliseconds since the epoch; 0 when it does not say. */
  readonly expiration: number;
}

/** The token's Secret; `undefined` when it is gone. Throws `kubeadm.token_invalid` when the expiration cannot be read. */
const readToken = async (token: string, { call, client }: TokenCall): Promise<StoredToken | undefined> => {
  const secret = await client.find(SecretResource, keyOf(token), call);
  if (secret === undefined) return undefined;
  const { expiration: text = "" } = secretText(secretBytes(secret));
  const expiration = text === "" ? 0 : Date.parse(text);
  if (!Number.isNaN(expiration)) return { secret, expiration };
  throw new CapstanError({
    code: "kubeadm.token_invalid",
    reason: "BootstrapTokenInvalid",
    message: `Secret kube-system/${keyOf(token).name} of the workload cluster has an expiration that is not RFC 3339; correct it, or delete the Machine to get a new token`,
  });
};

/** Returns whether a token lives for more than half of its life from now. Throws `kubeadm.token_invalid`. */
export const isTokenYoung = async (
  token: string,
  options: TokenCall & { readonly ttlMs: number },
): Promise<boolean> => {
  const found = await readToken(token, options);
  return found !== undefined && found.expiration >= options.clock.now() + options.ttlMs / 2;
};

export type TokenState = "fresh" | "extended" | "lost";

/**
 * Keeps a token alive while its node has not joined: extended once less than 5/6 of its life is left. `lost` when its Secret
 * is gone. Throws `kubeadm.token_invalid` when the expiration cannot be read.
 */
export const refreshToken = async (
  token: string,
  options: TokenCall & { readonly ttlMs: number },
): Promise<TokenState> => {
  const stored = await readToken(token, options);
  if (stored === undefined) return "lost";
  const { expiration, secret: found } = stored;
  if (expiration > options.clock.now() + (options.ttlMs * 5) / 6) return "fresh";
  const body = {
    metadata: { resourceVersion: found.metadata.resourceVersion },
    data: { expiration: toBase64(rfc3339(options.clock.now() + options.ttlMs)) },
  };
  await options.client.patch(SecretResource, keyOf(token), { type: "merge", body }, options.call);
  return "extended";
};

/** Deletes the token once its node has joined. */
export const revokeToken = (token: string, options: TokenCall): Promise<void> =>
  options.client.delete(SecretResource, keyOf(token), options.call);
