import type { Clock } from "@capstan/contract";
import type { ObjectStoreOpener } from "@capstan/contract/v1";
import type { SentWrite } from "../engine/open-writes.ts";
import type { ObjectStoreRequest } from "./object-store-request.ts";

/** The decoded data of a Secret. */
export type SecretData = Readonly<Record<string, string>>;

/** The Secret of a store. */
export interface StoreSecret {
  readonly namespace: string;
  readonly name: string;
}

/** One store that may serve: its Secret as `namespace/name`. */
export interface StoreTarget {
  readonly secret: string;
  readonly ref: StoreSecret;
}

/** Everything that calls to the stores of one machine need. */
export interface StoreAccess {
  /** The stores in the order they are tried. */
  readonly targets: readonly StoreTarget[];
  /** Type of store that Secrets without the key `type` are for. Default: the application's. */
  readonly defaultType?: string | undefined;
  /** `undefined` when the application plugged no stores in. */
  readonly openers: readonly ObjectStoreOpener[] | undefined;
  readonly readSecret: (ref: StoreSecret) => Promise<SecretData | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before something is put into a store; the function it returns is called with the outcome. Default: no-op. */
  readonly sent?: () => SentWrite;
}

const targetOf = (ref: StoreSecret): StoreTarget => ({ ref, secret: `${ref.namespace}/${ref.name}` });

/** The stores of a cluster; references without a namespace point to the given one. */
export const requestedTargets = (request: ObjectStoreRequest, namespace: string): readonly StoreTarget[] =>
  [request.credentialsRef, request.secondaryCredentialsRef]
    .filter((ref) => ref !== undefined)
    .map((ref) => targetOf({ name: ref.name, namespace: ref.namespace ?? namespace }));

/**
 * Stores of a record that may be opened. Users can write the record too: on its own it names stores of its own namespace alone, and others
 * only where the cluster names them as well.
 */
export const believedTargets = (
  recorded: readonly string[],
  namespace: string,
  requested: readonly StoreTarget[],
): readonly StoreTarget[] =>
  recorded
    .map(recordedTarget)
    .filter(({ ref, secret }) => ref.namespace === namespace || requested.some((target) => target.secret === secret));

/** The store behind a Secret that is named as `namespace/name`. */
export const recordedTarget = (secret: string): StoreTarget => {
  const [namespace = "", name = ""] = secret.split("/");
  return targetOf({ namespace, name });
};
