import type { SecretPurpose } from "../names.ts";

/** The name of a Secret that belongs to a Cluster. */
export const clusterSecretName = (
  clusterName: string,
  purpose: (typeof SecretPurpose)[keyof typeof SecretPurpose],
): string => `${clusterName}-${purpose}`;
