import type { AddressGuard } from "../address-guard.ts";
import type { Clock, Random } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { ProxyFor } from "../proxy.ts";
import type { Secret } from "../secret.ts";
import type { ObjectStoreOpener } from "./object-store.ts";
import type { ProviderV1 } from "./provider.ts";
import type { StoreServingV1 } from "./served-store.ts";

/** Access to a simulated cloud. */
export interface SimulatedCloudV1 {
  /** Where its API is, in place of the vendor's. */
  readonly endpoint: string;
  /** Accepted there, for objects that name no credentials of their own. */
  readonly token?: Secret<string>;
  /** PEM certificates to trust there, if it serves TLS. */
  readonly ca?: string;
}

/**
 * For whom the application has credentials, identities and files of its own, as a token in its environment, the identity of its machine, or
 * a certificate in a folder. Objects in other namespaces need credentials in a Secret.
 */
export interface DefaultCredentialsV1 {
  /** Namespaces whose objects may be served with them; `*`: those of all. Default `*`. */
  readonly namespaces?: readonly string[] | "*";
  /** The folder below which the files are that objects may name. Default: none, so no object may name a file. */
  readonly folder?: string;
}

/** Everything that the application gives to the factory of a provider or of an object store. */
export interface OutsideV1 {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** A variable of the environment; those of simulated clouds come first. `undefined` when it is not set, or empty. */
  readonly variable: (name: string) => string | undefined;
  /** The HTTP proxy on the way to an address. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For requests to where objects and Secrets of users say. Default: they go anywhere. */
  readonly guard?: AddressGuard;
  /** Whom its own credentials serve. Default: every namespace, and no files. */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** The simulation of a cloud, by its name such as `linode`; `undefined`: the real cloud is meant. */
  readonly simulated: (cloud: string) => SimulatedCloudV1 | undefined;
  /** Where a store may serve from this process. Default: nowhere, as in managers of which several may run. */
  readonly serving?: StoreServingV1;
}

/**
 * A module exports this as `createProvider` to be loaded with `--providers`. It must not start anything or send
 * requests: `register` and the controllers do that. An error ends the command, so its message should say what to set. Options that
 * users may set are declared with `withOptions`.
 */
export type CreateProviderV1 = (outside: OutsideV1) => ProviderV1 | Promise<ProviderV1>;

/**
 * A module exports this as `createObjectStore` to be loaded with `--object-stores`. It must not send requests. Options that
 * users may set are declared with `withOptions`.
 */
export type CreateObjectStoreV1 = (outside: OutsideV1) => ObjectStoreOpener | Promise<ObjectStoreOpener>;
