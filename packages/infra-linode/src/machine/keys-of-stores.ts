import { SecretResource } from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { keyOfSecret, secretKeyOf } from "../storage-key/secret-contents.ts";
import { objectStoreRequest } from "./object-store-request.ts";

type Environs = Pick<Environment, "cache">;

/** The key that makes a Secret. Both have to say so: anybody may label a Secret with the key of another namespace. */
const makerOf = (secret: KubeObject, { cache }: Environs): ObjectKey | undefined => {
  const ref = keyOfSecret(secret);
  const key = ref && cache.get(LinodeObjectStorageKey, ref);
  return key !== undefined && keyText(secretKeyOf(key)) === keyText(keyOf(secret)) ? ref : undefined;
};

/** The LinodeObjectStorageKeys that made the Secrets of a cluster's object stores: with one of them gone, its Secret opens nothing. */
export const keysOfStores = ({
  environment,
  infraCluster,
  object,
}: {
  readonly environment: Environs;
  readonly infraCluster: LinodeCluster | undefined;
  readonly object: KubeObject;
}): readonly ObjectKey[] => {
  const { credentialsRef, secondaryCredentialsRef } = objectStoreRequest(infraCluster?.spec) ?? {};
  return [credentialsRef, secondaryCredentialsRef].flatMap((ref) => {
    if (ref === undefined) return [];
    const { namespace } = keyOf(object);
    const secret = environment.cache.get<KubeObject>(SecretResource, { namespace, ...ref });
    return (secret && makerOf(secret, environment)) ?? [];
  });
};
