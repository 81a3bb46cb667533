import { CapstanError, clusterSecretType, isCapstanError, Label, SecretPurpose } from "@capstan/contract";
import type { Endpoint } from "@capstan/contract/wire";
import {
  clusterSecretName,
  formatEndpoint,
  isValidEndpoint,
  ownerReference,
  SecretResource,
} from "@capstan/contract/wire";
import { issueCertificate, renderKubeconfig } from "@capstan/pki";
import { isBeingDeleted } from "@capstan/kube";
import type { Client } from "@capstan/kube";
import type { Result } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { Cluster } from "../api.ts";
import { hasControlPlaneObject } from "./control-plane.ts";
import type { ClusterScope } from "./scope.ts";
import { missingObjectRetryMs } from "./scope.ts";
import { CoreErrorCode } from "../errors.ts";

const validityDays = 365;

const decoded = (secret: KubeObject, key: string): string => {
  const value = (secret["data"] as Readonly<Record<string, string>> | undefined)?.[key];
  if (value !== undefined && value !== "") return Buffer.from(value, "base64").toString("utf8");
  throw new CapstanError({
    code: CoreErrorCode.caInvalid,
    reason: "InvalidCA",
    message: `Secret ${secret.metadata.namespace}/${secret.metadata.name} lacks data.${key}; it must hold the certificate authority of the cluster as tls.crt and tls.key`,
  });
};

/** An administrator's kubeconfig, signed by the cluster's own authority. */
const render = async ({ cluster, context }: ClusterScope, endpoint: Endpoint, ca: KubeObject): Promise<string> => {
  const name = cluster.metadata.name ?? "";
  const authority = { certificate: decoded(ca, "tls.crt"), key: decoded(ca, "tls.key") };
  const client = await issueCertificate(authority, {
    now: context.clock.now(),
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client"],
    validityDays,
    // An RSA key takes a thousand times as long to make, which tells when there are a thousand clusters.
    algorithm: "ECDSA-P256",
  });
  return renderKubeconfig({
    server: `https://${formatEndpoint(endpoint)}`,
    certificateAuthority: authority.certificate,
    clusterName: name,
    userName: `${name}-admin`,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
};

/** A Secret of that name which the cache does not show is somebody's own, and stays. */
const createOnce = async (client: Client, secret: KubeObject): Promise<void> => {
  try {
    await client.create(SecretResource, secret);
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};

/**
 * Makes the kubeconfig Secret of a Cluster whose control plane is Machines without a control plane object. With such an
 * object, the Secret is that object's to make.
 */
export const reconcileKubeconfig = async (scope: ClusterScope): Promise<Result> => {
  const { cluster, context } = scope;
  if (hasControlPlaneObject(cluster) || isBeingDeleted(cluster)) return {};
  const endpoint = cluster.spec.controlPlaneEndpoint;
  if (!isValidEndpoint(endpoint)) return {};
  const namespace = cluster.metadata.namespace ?? "";
  const clusterName = cluster.metadata.name ?? "";
  const name = clusterSecretName(clusterName, SecretPurpose.kubeconfig);
  if (context.cache.informer(SecretResource).get({ namespace, name }) !== undefined) return {};
  const ca = await context.client.find(SecretResource, {
    namespace,
    name: clusterSecretName(clusterName, SecretPurpose.ca),
  });
  if (ca === undefined) return { requeueAfterMs: missingObjectRetryMs };
  const value = await render(scope, endpoint, ca);
  await createOnce(context.client, {
    apiVersion: "v1",
    kind: "Secret",
    type: clusterSecretType,
    metadata: {
      name,
      namespace,
      labels: { [Label.clusterName]: clusterName },
      ownerReferences: [ownerReference(Cluster, cluster, { controller: true, blockOwnerDeletion: true })],
    },
    data: { value: Buffer.from(value, "utf8").toString("base64") },
  });
  return {};
};
