/** Condition types of a KubeadmConfig. */
export const KubeadmConfigCondition = {
  ready: "Ready",
  dataSecretAvailable: "DataSecretAvailable",
  certificatesAvailable: "CertificatesAvailable",
  paused: "Paused",
} as const;

/** Reasons of a KubeadmConfig's conditions, by the type they belong to. */
export const KubeadmConfigReason = {
  ready: { ready: "Ready", notReady: "NotReady", unknown: "ReadyUnknown" },
  dataSecretAvailable: { available: "Available", notAvailable: "NotAvailable" },
  certificatesAvailable: { available: "Available", internalError: "InternalError" },
} as const;

/** Reasons of the conditions of the first API generation, with the severity they have. */
export const LegacyKubeadmConfigReason = {
  waitingForClusterInfrastructure: { reason: "WaitingForClusterInfrastructure", severity: "Info" },
  waitingForControlPlaneAvailable: { reason: "WaitingForControlPlaneAvailable", severity: "Info" },
  dataSecretGenerationFailed: { reason: "DataSecretGenerationFailed", severity: "Warning" },
  certificatesGenerationFailed: { reason: "CertificatesGenerationFailed", severity: "Warning" },
  certificatesCorrupted: { reason: "CertificatesCorrupted", severity: "Error" },
} as const;
