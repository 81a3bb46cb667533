import type { KubeObject } from "@capstan/schema";
import { clusterSecretType, Group, Label } from "../names.ts";
import { controllerOf } from "./owner.ts";

/** The name of a Secret that belongs to a Cluster. `purpose`: one of `SecretPurpose`, or a provider's own. */
export const clusterSecretName = (clusterName: string, purpose: string): string => `${clusterName}-${purpose}`;

/** Types that a Secret of a Cluster may have: that of generated ones, and that of certificates which users supply. */
const clusterSecretTypes: readonly unknown[] = [clusterSecretType, "kubernetes.io/tls"];

const isOfControlPlane = (secret: KubeObject): boolean =>
  controllerOf(secret)?.apiVersion.startsWith(`${Group.controlPlane}/`) === true;

/**
 * Returns why a Secret is not one of the Cluster's, such as its certificate authority; `undefined` if it is one. A name alone proves
 * nothing: controllers write Secrets under names that users choose, but none with both this type and this label. Of other types are the
 * kubeconfigs of some control plane providers, which control them.
 */
export const clusterSecretProblem = (secret: KubeObject, clusterName: string): string | undefined => {
  const type = secret["type"] ?? "Opaque";
  const isLabelled = secret.metadata.labels?.[Label.clusterName] === clusterName;
  const lacks = [
    ...(clusterSecretTypes.includes(type) || isOfControlPlane(secret) ? [] : [`its type is ${String(type)}`]),
    ...(isLabelled ? [] : [`it has no label ${Label.clusterName}=${clusterName}`]),
  ];
  return lacks.length === 0 ? undefined : lacks.join(", and ");
};
