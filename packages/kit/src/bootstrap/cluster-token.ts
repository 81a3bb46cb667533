import { CapstanError, type Random } from "@capstan/contract";
import type { OwnerReference } from "@capstan/schema";
import type { ClusterAccess } from "../roles/bootstrap/cluster-access.ts";
import { clusterSecretKey, createClusterSecret, findClusterSecret, type ClusterSecrets } from "./cluster-secret.ts";
import type { SecretText } from "../roles/bootstrap/cluster-secret-text.ts";

const tokenPurpose = "token";
const tokenBytes = 16;

const valueOf = (access: Pick<ClusterAccess, "cluster">, { value = "" }: SecretText): string => {
  if (value !== "") return value;
  const { namespace, name } = clusterSecretKey(access, tokenPurpose);
  throw new CapstanError({
    code: "bootstrap.token_missing",
    reason: "TokenMissing",
    message: `Secret ${namespace}/${name} has no key value; set it to the cluster's token`,
  });
};

/**
 * The token that machines of a Cluster join with, Secret `<cluster>-token`; `undefined` while there is none. The Secret
 * is cached. Throws `bootstrap.token_missing`.
 */
export const findClusterToken = async (
  access: Pick<ClusterAccess, "cluster"> & ClusterSecrets,
): Promise<string | undefined> => {
  const data = await access.clusterSecret(tokenPurpose);
  return data === undefined ? undefined : valueOf(access, data);
};

/**
 * The token that machines of a Cluster join with. An existing one is never changed; otherwise one of 32 hex digits is
 * created, once, even for concurrent callers. Throws `bootstrap.token_missing`.
 */
export const ensureClusterToken = async (
  access: ClusterAccess & { readonly random: Random },
  options: { readonly owner: OwnerReference },
): Promise<string> => {
  const present = await findClusterSecret(access, tokenPurpose);
  if (present !== undefined) return valueOf(access, present);
  const value = Buffer.from(access.random.bytes(tokenBytes)).toString("hex");
  return valueOf(access, await createClusterSecret(access, tokenPurpose, { data: { value }, owner: options.owner }));
};
