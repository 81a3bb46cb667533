import type { HostV1, ProviderV1 } from "@capstan/contract/v1";
import type { Resource } from "@capstan/schema";

/** A provider package as the manager sees it. `register` only adds controllers; it starts nothing. */
export const defineProvider = (provider: {
  /** Role and vendor, for example `infra-acme`. */
  readonly name: string;
  /** Every kind the provider owns. */
  readonly kinds: readonly Resource[];
  readonly register: (host: HostV1) => void;
}): ProviderV1 => ({ contract: "v1", ...provider });
