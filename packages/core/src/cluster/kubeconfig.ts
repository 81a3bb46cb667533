import { CapstanError, SecretPurpose } from "@capstan/contract";
import { isValidEndpoint, ownerReference, SecretResource } from "@capstan/contract/wire";
import {
  adminKubeconfig,
  clusterSecretKey,
  createClusterSecret,
  findClusterSecret,
  type SecretText,
} from "@capstan/kit/bootstrap";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { Cluster } from "../api.ts";
import { hasControlPlaneObject } from "./control-plane.ts";
import type { ClusterScope } from "./scope.ts";
import { missingObjectRetryMs } from "./scope.ts";
import { CoreErrorCode } from "../errors.ts";

/** A part of an authority of the cluster's own. */
const required = (
  cluster: Cluster,
  ca: SecretText,
  place: { readonly purpose: string; readonly key: string },
): string => {
  const { key, purpose } = place;
  const value = ca[key];
  if (value !== undefined && value !== "") return value;
  const { namespace, name } = clusterSecretKey({ cluster }, purpose);
  throw new CapstanError({
    code: CoreErrorCode.caInvalid,
    reason: "InvalidCA",
    message: `Secret ${namespace}/${name} lacks data.${key}; it must hold a certificate authority of the cluster as tls.crt and tls.key`,
  });
};

/**
 * Makes the kubeconfig Secret of a Cluster whose control plane is Machines without a control plane object. Its certificate is signed by
 * the authority for clients, where the distribution has one of its own: whoever makes the two makes that one first. With such an
 * object, the Secret is that object's to make.
 */
export const reconcileKubeconfig = async ({ cluster, context }: ClusterScope): Promise<Result> => {
  if (hasControlPlaneObject(cluster) || isBeingDeleted(cluster)) return {};
  const endpoint = cluster.spec.controlPlaneEndpoint;
  if (!isValidEndpoint(endpoint)) return {};
  const purpose = SecretPurpose.kubeconfig;
  if (context.cache.informer(SecretResource).get(clusterSecretKey({ cluster }, purpose)) !== undefined) return {};
  const access = { client: context.client, cluster, call: { signal: context.signal } };
  const ca = await findClusterSecret(access, SecretPurpose.ca);
  if (ca === undefined) return { requeueAfterMs: missingObjectRetryMs };
  const clients = await findClusterSecret(access, SecretPurpose.clientCA);
  const [signer, signerPurpose] = clients === undefined ? [ca, SecretPurpose.ca] : [clients, SecretPurpose.clientCA];
  const part = (key: string): string => required(cluster, signer, { purpose: signerPurpose, key });
  const value = await adminKubeconfig({
    clusterName: cluster.metadata.name ?? "",
    endpoint,
    serverAuthority: required(cluster, ca, { purpose: SecretPurpose.ca, key: "tls.crt" }),
    clientAuthority: { certificate: part("tls.crt"), key: part("tls.key") },
    clock: context.clock,
  });
  // A Secret of that name which the cache does not show is someone's own, and stays.
  await createClusterSecret(access, purpose, { data: { value }, owner: ownerReference(Cluster, cluster) });
  return {};
};
