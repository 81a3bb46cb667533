import { SecretResource } from "@capstan/contract/wire";
import type { ObjectRef } from "@capstan/kit/engine";
import { keyOf } from "@capstan/kube-values";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { keyOfSecret } from "../storage-key/secret-contents.ts";
import { objectStoreRequest } from "./object-store-request.ts";

/** The LinodeObjectStorageKeys that made the Secrets of a cluster's object stores: with one of them gone, its Secret opens nothing. */
export const keysOfStores = ({
  environment,
  infraCluster,
  object,
}: {
  readonly environment: Pick<Environment, "cache">;
  readonly infraCluster: LinodeCluster | undefined;
  readonly object: KubeObject;
}): readonly ObjectRef[] => {
  const { credentialsRef, secondaryCredentialsRef } = objectStoreRequest(infraCluster?.spec) ?? {};
  return [credentialsRef, secondaryCredentialsRef].flatMap((ref) => {
    if (ref === undefined) return [];
    const { namespace } = keyOf(object);
    const secret = environment.cache.get<KubeObject>(SecretResource, { namespace, ...ref });
    return (secret && keyOfSecret(secret)) ?? [];
  });
};
