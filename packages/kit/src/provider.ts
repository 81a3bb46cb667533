import type { ProviderV1 } from "@capstan/contract/v1";

/** A provider package as the manager sees it. `register` only adds controllers; it starts nothing. */
export const defineProvider = (provider: Omit<ProviderV1, "contract">): ProviderV1 => ({ contract: "v1", ...provider });
