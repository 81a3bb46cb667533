import { bootstrapConditions, certificatesAvailable, conditionTable, conditionTypes } from "@capstan/contract/wire";

const { dataSecretAvailable } = bootstrapConditions;

/** The conditions of an RKE2Config and of a KThreesConfig. */
export const configConditions = conditionTable({
  ...bootstrapConditions,
  dataSecretAvailable: {
    ...dataSecretAvailable,
    reasons: {
      ...dataSecretAvailable.reasons,
      waitingForEndpoint: "WaitingForControlPlaneEndpoint",
      waitingForServer: "WaitingForServer",
      waitingForToken: "WaitingForToken",
    },
  },
  certificatesAvailable,
});

/** Condition types of the configs. */
export const ConfigCondition = conditionTypes(configConditions);

/** Reasons of the configs' conditions; errors have their own. */
export const ConfigReason = {
  ...configConditions.dataSecretAvailable.reasons,
  certificatesAvailable: certificatesAvailable.reasons.available,
} as const;

/** Reasons of the configs' Events. */
export const ConfigEvent = { large: "BootstrapDataLarge" } as const;

/** Annotations of the configs, and of templates for what is made from them. */
export const ConfigAnnotation = {
  /** A map of keys of the distribution's config.yaml, as YAML. */
  extraConfig: "capstan.dev/extra-config",
  /** Where the install script comes from, and variables for it, as YAML. */
  installer: "capstan.dev/installer",
} as const;

/** Annotation of the Cluster: the algorithm of authorities that are made for it, for example ECDSA-P256. */
export const keyAlgorithmAnnotation = "capstan.dev/key-algorithm";

/** Annotation of the Cluster: whether joining machines check the authority of the servers before they show their token. */
export const pinAuthorityAnnotation = "capstan.dev/pin-authority";
