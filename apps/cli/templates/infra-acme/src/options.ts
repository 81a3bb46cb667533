import type { Clock, Logger, ProxyFor, Random, Secret } from "@capstan/contract";

/** How the provider works when a Secret does not say otherwise. */
export interface AcmeProviderOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Where the API is. Default `https://api.acme.example`. */
  readonly endpoint?: string;
  /** PEM certificates to trust there beside the public ones. */
  readonly ca?: string;
  /** For objects that name no Secret. Default: none, so every AcmeCluster must name one. */
  readonly token?: Secret<string>;
  /** The HTTP proxy on the way to the API. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** How often servers are listed while some are being made, and when all are as they should be. Default 5 000 and 60 000. */
  readonly pollMs?: number;
  readonly settledPollMs?: number;
}
