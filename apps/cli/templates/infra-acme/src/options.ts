import type { Clock, Logger, ProxyFor, Random, Secret } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

const declared = {
  poll: {
    type: "duration",
    default: 5000,
    min: 1000,
    max: 300_000,
    help: "how often servers are listed while some are being made",
  },
  settledPoll: {
    type: "duration",
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    help: "how often servers are listed when all are as they should be",
  },
} as const satisfies OptionsV1;

/** Options of the provider, for where a Secret does not say otherwise. */
export interface AcmeProviderOptions extends OptionValuesV1<typeof declared> {
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
}

export const acmeDefaults = optionDefaults(declared);

/** The options as the command takes them: `--set-option infra-acme.poll=10s`. */
export const declaration = {
  of: "infra-acme",
  options: declared,
  codeOnly: {
    clock: "the command has the system's",
    random: "the command has the system's",
    log: "the command has --log-level",
    endpoint: "the command has $ACME_URL",
    ca: "only simulated accounts need it",
    token: "objects name Secrets",
    proxyFor: "the command reads the environment",
  } satisfies CodeOnlyV1<AcmeProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
