import type { CertificateAndKey, ServiceAccountKeys } from "@capstan/pki";

/** Certificates, keys and settings that a control-plane machine brings along on its disk. */
export interface ControlPlaneMaterial {
  readonly authority: CertificateAndKey;
  /** Signs certificates of clients, where that is not the same one. */
  readonly clientAuthority?: CertificateAndKey;
  readonly serviceAccount: ServiceAccountKeys;
  /** Serving certificate, signed by the authority. */
  readonly serving: CertificateAndKey;
  readonly serviceSubnet: string;
  /** SQLite file of the cluster's state; absent: memory. */
  readonly file: string | undefined;
}
