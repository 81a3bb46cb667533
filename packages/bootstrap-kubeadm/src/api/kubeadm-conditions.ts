/** Condition types of a KubeadmConfig that the role of bootstrap providers does not have. */
export const KubeadmConfigCondition = { certificatesAvailable: "CertificatesAvailable" } as const;

/** Reasons of a KubeadmConfig's conditions, by the type they belong to. Beside them stand those of errors. */
export const KubeadmConfigReason = {
  certificatesAvailable: {
    available: "Available",
    /** Of `v1beta1` of conditions alone. */
    corrupted: "CertificatesCorrupted",
    generationFailed: "CertificatesGenerationFailed",
  },
  dataSecretAvailable: { notAvailable: "NotAvailable" },
} as const;
