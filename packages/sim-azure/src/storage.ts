import type { Service, Simulation } from "@capstan/simulation";
import { type BlobIdentity, blobService } from "@capstan/simulation/blob";
import { same } from "./resource-id.ts";
import { diagnosticsAccount } from "./compute/boot-log.ts";
import { readToken } from "./login/tokens.ts";
import type { AzureState } from "./state.ts";
import type { World } from "./world.ts";

const audience = "https://storage.azure.com";

/** Who presents a token at a storage account: every principal of the subscription may do there what its role allows. */
const identityOf = (token: string, { state, clock, principals }: World): BlobIdentity | undefined => {
  const claims = readToken(token, state.key);
  const principal = principals.find(({ clientId }) => same(clientId, claims?.appid ?? ""));
  if (claims === undefined || principal === undefined || claims.exp * 1000 <= clock.now()) return undefined;
  if (!same(claims.aud.replace(/\/$/, ""), audience)) return undefined;
  const { objectId, role } = principal;
  return {
    objectId,
    tenantId: claims.tid,
    allows: (use) => role !== "Reader" || use === "read" || use === "list",
  };
};

/** The blobs of the subscription's storage accounts, and the serial logs of its machines. */
export const blobsOf = (cloud: Simulation<AzureState>, world: World): Service =>
  blobService({
    cloud,
    accounts: () => [...world.state.storageAccounts, diagnosticsAccount(world)],
    identityOf: (token) => identityOf(token, world),
  });
