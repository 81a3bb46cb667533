import type { Clock, Logger } from "@capstan/contract";

export interface LocalObjectStoreOptions {
  /** Dates signed URLs, and says which have expired. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Holds objects and signing key; made for its owner alone. One process serves it at a time. */
  readonly folder: string;
  /** Where the server listens. Default: any free port of 127.0.0.1. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** PEM. With them the server speaks HTTPS. Default: plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** What signed URLs begin with. Default: where the server listens. `null`: no machine can reach it, so nothing is stored. */
  readonly address?: string | null;
  /** Default 16 MiB. */
  readonly maxObjectBytes?: number;
}

/** The bucket that is always there. */
export const standardBucket = "bootstrap-data";

export const defaultMaxObjectBytes = 16 * 1024 ** 2;
