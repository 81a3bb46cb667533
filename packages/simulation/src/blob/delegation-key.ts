import { signatureOf } from "./shared-key.ts";
import type { StorageAccount } from "./storage-account.ts";

/** Everything about a key that an identity signs with, but its value. */
export interface DelegationKeyClaim {
  readonly objectId: string;
  readonly tenantId: string;
  readonly start: string;
  readonly expiry: string;
  readonly service: string;
  readonly version: string;
}

/**
 * The value of such a key, in base64. It follows from the claim and the account's own keys, so none is kept; when the first of these
 * changes, all keys that were handed out are void.
 */
export const delegationKeyValue = ({ keys, name }: StorageAccount, claim: DelegationKeyClaim): string => {
  const { objectId, tenantId, start, expiry, service, version } = claim;
  return signatureOf(
    keys[0] ?? "",
    ["delegation", name, objectId, tenantId, start, expiry, service, version].join("\n"),
  );
};
