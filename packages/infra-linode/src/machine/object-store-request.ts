import type { ObjectStoreRequest } from "@capstan/kit/machine";
import { parseDurationSeconds } from "@capstan/kube-values";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { namedSecret } from "../cloud/secret-ref.ts";

/** Where the machines of a cluster leave bootstrap data that is too large; `undefined` if the cluster has no object store. */
export const objectStoreRequest = (cluster: LinodeCluster["spec"] | undefined): ObjectStoreRequest | undefined => {
  const { credentialsRef, secondaryCredentialsRef, presignedURLDuration } = cluster?.objectStore ?? {};
  const [first, second] = [credentialsRef, secondaryCredentialsRef].map(namedSecret).filter((ref) => ref !== undefined);
  if (first === undefined) return undefined;
  return {
    credentialsRef: first,
    // Upstream's Secrets have no key that says so.
    defaultType: "s3",
    ...(second === undefined ? {} : { secondaryCredentialsRef: second }),
    ...(presignedURLDuration === undefined
      ? {}
      : { expiresInSeconds: parseDurationSeconds(presignedURLDuration) ?? Number.NaN }),
  };
};
