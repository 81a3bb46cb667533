export { adminKubeconfig } from "./bootstrap/admin-kubeconfig.ts";
export { cloudInitDocument } from "./bootstrap/cloud-init.ts";
export type { ClusterAccess } from "./roles/bootstrap/cluster-access.ts";
export {
  certificateFiles,
  clusterAuthority,
  ensureCertificates,
  findCertificates,
  lostCertificate,
  ownCertificates,
  requireCertificates,
} from "./bootstrap/cluster-certificates.ts";
export type { ClusterCertificate, GenerateOptions, PemPair, PemPairs } from "./bootstrap/cluster-certificates.ts";
export {
  clusterSecretKey,
  createClusterSecret,
  findClusterSecret,
  ownClusterSecret,
} from "./bootstrap/cluster-secret.ts";
export type { ClusterSecrets } from "./bootstrap/cluster-secret.ts";
export type { ClusterSecretOptions, SecretText } from "./roles/bootstrap/cluster-secret-text.ts";
export { withCertificates } from "./bootstrap/with-certificates.ts";
export { CertificatesCondition, controlPlaneSecrets } from "./bootstrap/control-plane-secrets.ts";
export type { ControlPlaneSecrets, ControlPlaneSecretsOptions } from "./bootstrap/control-plane-secrets.ts";
export { ensureClusterToken, findClusterToken } from "./bootstrap/cluster-token.ts";
export { contentReader, dataReader, requireKey, resolveFiles, withContent } from "./bootstrap/contents.ts";
export type { ContentKey, ContentSource, Data, FileSource, ReadContent, ReadData } from "./bootstrap/contents.ts";
export { encodedFile, exactFile, isBase64, rootFile, withFinalNewline } from "./bootstrap/file-entry.ts";
export type { FileEntry } from "./bootstrap/file-entry.ts";
export { initLock } from "./roles/bootstrap/init-lock.ts";
export type { InitLock } from "./roles/bootstrap/init-lock.ts";
export { initOrJoin } from "./bootstrap/init-or-join.ts";
export { isControlPlaneInitialized } from "./roles/control-plane-initialized.ts";
export { planVersions } from "./bootstrap/plan-versions.ts";
export type { VersionCheck } from "./bootstrap/plan-versions.ts";
export { resolveUsers } from "./bootstrap/machine-setup.ts";
export type {
  DiskSetup,
  Filesystem,
  MachineSetup,
  Ntp,
  Partitions,
  User,
  UserSource,
} from "./bootstrap/machine-setup.ts";
export { packedDocument } from "./ignition/packed-document.ts";
export { ignitionDocument } from "./ignition/ignition-document.ts";
export type { IgnitionRun } from "./ignition/setup-config.ts";
export { scriptUnit } from "./ignition/systemd.ts";
export { sentinelPlaceholder, withSuccessSentinel } from "./bootstrap/success-sentinel.ts";
export { looksLikeJinja, printedByJinja } from "./userdata/jinja.ts";
export { jinjaProblems } from "./userdata/jinja-problems.ts";
export { secretBytes, secretText } from "./engine/credentials.ts";
export type { BootstrapAuthor, BootstrapContext, BootstrapOutcome, BootstrapPool } from "./roles/bootstrap/author.ts";
export type { NewConfigContext, SpecAtCreation } from "./roles/bootstrap/new-config.ts";
export { ready, waiting } from "./roles/bootstrap/outcomes.ts";
export { dataSecretAvailable } from "./roles/bootstrap/status.ts";
export { bootstrapConfig } from "./roles/bootstrap/bootstrap-config.ts";
