import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

const declared = {
  forcePathStyle: {
    type: "boolean",
    otherwise: "$LINODE_OBJECT_STORAGE_USE_PATH_STYLE, else only if the bucket is not a valid host name",
    help: "put the bucket in the path instead of the host name, for Secrets without the key forcePathStyle",
  },
  maxAttempts: { type: "number", default: 3, min: 1, max: 10, help: "attempts of a call" },
  connectTimeout: { type: "duration", default: 5000, min: 100, max: 120_000, help: "timeout of connecting" },
  requestTimeout: {
    type: "duration",
    default: 10_000,
    min: 1000,
    max: 600_000,
    help: "timeout from a request to the end of its response",
  },
} as const satisfies OptionsV1;

export interface S3ObjectStoreOptions extends OptionValuesV1<typeof declared> {
  /** Dates signed URLs. */
  readonly clock: Clock;
  /** The HTTP proxy on the way to a store. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For the endpoints that Secrets name. Default: they may name any. */
  readonly guard?: AddressGuard;
}

export const s3Defaults = optionDefaults(declared);

/** The options as the command takes them. */
export const declaration = {
  of: "object-store-s3",
  options: declared,
  codeOnly: {
    clock: "tests bring a clock of their own",
    proxyFor: "the command reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
    guard: "the command has --allow-address",
  } satisfies CodeOnlyV1<S3ObjectStoreOptions, typeof declared>,
} satisfies OptionDeclarationV1;
