import type { TypeTable } from "../type-table.ts";

/** Types of certificates.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const certificatesTypes: TypeTable = {
  CertificateSigningRequest:
    "metadata 1 ObjectMeta; spec 2 CertificateSigningRequestSpec required; status 3 CertificateSigningRequestStatus",
  CertificateSigningRequestCondition:
    "type 1 string required; status 6 string required; reason 2 string; message 3 string; lastUpdateTime 4 Time; lastTransitionTime 5 Time",
  CertificateSigningRequestSpec:
    "request 1 bytes required; signerName 7 string required; expirationSeconds 8 int32?; usages 5 [string]; username 2 string; uid 3 string; groups 4 [string]; extra 6 {Strings}",
  CertificateSigningRequestStatus: "conditions 1 [CertificateSigningRequestCondition] map(type); certificate 2 bytes",
};
