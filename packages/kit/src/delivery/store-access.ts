import type { Clock } from "@capstan/contract";
import type { ObjectStoreOpener } from "@capstan/contract/v1";
import type { ObjectStoreRequest } from "./object-store-request.ts";

/** The decoded data of a Secret. */
export type SecretData = Readonly<Record<string, string>>;

/** The Secret of a store. */
export interface StoreSecret {
  readonly namespace: string;
  readonly name: string;
}

/** Everything that calls to the stores of one machine need. */
export interface StoreAccess {
  readonly request: ObjectStoreRequest;
  /** Where Secret references without a namespace point to. */
  readonly namespace: string;
  /** `undefined` when the application plugged no stores in. */
  readonly openers: readonly ObjectStoreOpener[] | undefined;
  readonly readSecret: (ref: StoreSecret) => Promise<SecretData | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One store that may serve: its Secret as `namespace/name`. */
export interface StoreTarget {
  readonly secret: string;
  readonly ref: StoreSecret;
}

/** The stores in the order they are tried. */
export const storeTargets = ({
  request,
  namespace,
}: Pick<StoreAccess, "request" | "namespace">): readonly StoreTarget[] =>
  [request.credentialsRef, request.secondaryCredentialsRef]
    .filter((ref) => ref !== undefined)
    .map((ref) => ({ name: ref.name, namespace: ref.namespace ?? namespace }))
    .map((ref) => ({ ref, secret: `${ref.namespace}/${ref.name}` }));
