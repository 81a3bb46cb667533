import type { Clock, ProxyFor, Random } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

const declared = {
  attempts: { type: "number", default: 3, min: 1, max: 10, help: "attempts of a call" },
  timeout: {
    type: "duration",
    default: 10_000,
    min: 1000,
    max: 300_000,
    help: "timeout from a request to the end of its response",
  },
} as const satisfies OptionsV1;

export interface AcmeObjectStoreOptions extends OptionValuesV1<typeof declared> {
  /** Dates signed URLs, and measures patience. */
  readonly clock: Clock;
  readonly random: Random;
  /** The HTTP proxy on the way to a store. Default: none. */
  readonly proxyFor?: ProxyFor;
}

export const acmeDefaults = optionDefaults(declared);

/** The options as the command takes them: `--set-option object-store-acme.attempts=5`. */
export const declaration = {
  of: "object-store-acme",
  options: declared,
  codeOnly: {
    clock: "the command has the system's",
    random: "the command has the system's",
    proxyFor: "the command reads the environment",
  } satisfies CodeOnlyV1<AcmeObjectStoreOptions, typeof declared>,
} satisfies OptionDeclarationV1;
