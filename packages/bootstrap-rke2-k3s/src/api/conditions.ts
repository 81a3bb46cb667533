/** Condition types of the configs that the role of bootstrap providers does not have. */
export const ConfigCondition = { certificatesAvailable: "CertificatesAvailable" } as const;

/** Reasons of the configs' conditions. Beside them stand those of errors. */
export const ConfigReason = {
  certificatesAvailable: "Available",
  waitingForEndpoint: "WaitingForControlPlaneEndpoint",
  waitingForServer: "WaitingForServer",
  waitingForToken: "WaitingForToken",
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
