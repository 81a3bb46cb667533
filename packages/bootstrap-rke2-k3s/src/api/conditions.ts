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
} as const;

/** Annotation of the Cluster: the algorithm of authorities that are made for it, for example ECDSA-P256. */
export const keyAlgorithmAnnotation = "capstan.dev/key-algorithm";
