import type { ServiceKey } from "./provider.ts";

/** Where the application lets a store serve what it holds from this process. */
export interface StoreServingV1 {
  /** A folder of this name that outlives the process, for its owner alone. */
  readonly folder: (name: string) => string;
  /** A free port for a server of this name: the one that it had last time, if its `url` was remembered; 0 stands for any. */
  readonly port: (name: string) => Promise<number>;
  /** Where to listen, if it was said. Default: `port`, on loopback. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** PEM certificate chain and key of the server. Without them it speaks plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Base URL under which machines reach its objects. */
  readonly address?: string;
  /** The machines run on this host, so that they reach what listens on its loopback. */
  readonly machinesAreHere: boolean;
}

/** A server that belongs to a store and runs in this process. */
export interface ObjectStoreServerV1 {
  /** Opens the port. What follows is known afterwards. */
  start(): Promise<void>;
  /** Accepts no more requests, and waits for those that write. */
  stop(): Promise<void>;
  /** Where it listens. */
  readonly url: string;
  /** One line for people: what is served where. */
  readonly description: string;
  /** The data of a Secret that means this store; it holds no secret. */
  readonly secretData: Readonly<Record<string, string>>;
}

/** The Secret of the store for clusters that name none. */
export const defaultObjectStore: ServiceKey<{ readonly namespace: string; readonly name: string }> = {
  name: "default-object-store",
};
