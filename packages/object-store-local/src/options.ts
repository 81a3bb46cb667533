import type { Clock, Logger } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

const declared = {
  maxObjectBytes: {
    type: "number",
    default: 16 * 1024 ** 2,
    min: 1024,
    max: 1024 ** 3,
    help: "size of the largest object that is stored, in bytes",
  },
} as const satisfies OptionsV1;

export interface LocalObjectStoreOptions extends OptionValuesV1<typeof declared> {
  /** Dates signed URLs, and says which have expired. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Holds objects and signing key; made for its owner alone. One process serves it at a time. */
  readonly folder: string;
  /** Where the server listens. Default: any free port of 127.0.0.1. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** PEM. With them the server speaks HTTPS. Default: plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Base of signed URLs. Default: where the server listens. `null`: no machine can reach it, so nothing is stored. */
  readonly address?: string | null;
}

/** The options as the command takes them. */
export const declaration = {
  of: "object-store-local",
  options: declared,
  codeOnly: {
    clock: "tests bring a clock of their own",
    log: "the command has --log-level",
    folder: "a folder in that of --data-dir",
    listen: "the command has --object-store-listen",
    tls: "the command has --object-store-tls-cert-file and --object-store-tls-private-key-file",
    address: "the command has --object-store-address",
  } satisfies CodeOnlyV1<LocalObjectStoreOptions, typeof declared>,
} satisfies OptionDeclarationV1;

/** The bucket that is always there. */
export const standardBucket = "bootstrap-data";

export const { maxObjectBytes: defaultMaxObjectBytes } = optionDefaults(declared);
