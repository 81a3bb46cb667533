/** The name of a Secret that belongs to a Cluster. `purpose`: one of `SecretPurpose`, or a provider's own. */
export const clusterSecretName = (clusterName: string, purpose: string): string => `${clusterName}-${purpose}`;
