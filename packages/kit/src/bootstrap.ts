export { adminKubeconfig } from "./bootstrap/admin-kubeconfig.ts";
export { cloudInitDocument } from "./bootstrap/cloud-init.ts";
export {
  certificateFiles,
  clusterAuthority,
  ensureCertificates,
  findCertificates,
  ownCertificates,
  requireCertificates,
} from "./bootstrap/cluster-certificates.ts";
export type { ClusterCertificate, GenerateOptions, PemPairs } from "./bootstrap/cluster-certificates.ts";
export { clusterSecretKey, createClusterSecret, findClusterSecret } from "./bootstrap/cluster-secret.ts";
export type { SecretText } from "./roles/bootstrap/cluster-secret-text.ts";
export { withCertificates } from "./bootstrap/with-certificates.ts";
export { controlPlaneSecrets } from "./bootstrap/control-plane-secrets.ts";
export type { ControlPlaneSecrets } from "./bootstrap/control-plane-secrets.ts";
export { ensureClusterToken, findClusterToken } from "./bootstrap/cluster-token.ts";
export { contentReader, dataReader, requireKey, resolveFiles, withContent } from "./bootstrap/contents.ts";
export type { ContentKey, Data, FileSource, ReadData } from "./bootstrap/contents.ts";
export { exactFile, isBase64, rootFile, withFinalNewline } from "./bootstrap/file-entry.ts";
export type { FileEntry } from "./bootstrap/file-entry.ts";
export { initLock } from "./roles/bootstrap/init-lock.ts";
export { initOrJoin } from "./bootstrap/init-or-join.ts";
export { isControlPlaneInitialized } from "./roles/control-plane-initialized.ts";
export { planVersions } from "./bootstrap/plan-versions.ts";
export { resolveUsers } from "./bootstrap/machine-setup.ts";
export type { MachineSetup, Ntp, User } from "./bootstrap/machine-setup.ts";
export { packedDocument } from "./ignition/packed-document.ts";
export { ignitionDocument } from "./ignition/ignition-document.ts";
export type { IgnitionRun } from "./ignition/setup-config.ts";
export { scriptUnit } from "./ignition/systemd.ts";
export { sentinelPlaceholder, withSuccessSentinel } from "./bootstrap/success-sentinel.ts";
export { looksLikeJinja, printedByJinja } from "./userdata/jinja.ts";
export { jinjaProblems } from "./userdata/jinja-problems.ts";
export { secretBytes, secretText } from "./engine/credentials.ts";
export type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "./roles/bootstrap/author.ts";
export type { SpecAtCreation } from "./roles/bootstrap/new-config.ts";
export { ready, waiting } from "./roles/bootstrap/outcomes.ts";
export { bootstrapConfig } from "./roles/bootstrap/bootstrap-config.ts";
export { cloudConfig } from "./userdata/cloud-config.ts";
export { translateButane } from "./ignition/butane.ts";
export type { Translation } from "./ignition/butane.ts";
export type { ConfigProblem } from "./ignition/shape.ts";
export { translateConfig } from "./ignition/translate-config.ts";
export type { JinjaArgument, JinjaExpression, JinjaOperation, JinjaStep } from "./userdata/jinja-nodes.ts";
export type { JinjaAction } from "./userdata/jinja-nodes.ts";
export { readJinja } from "./userdata/jinja-template.ts";
export type { JinjaPiece } from "./userdata/jinja-template.ts";
export { documentType, multipart } from "./userdata/multipart.ts";
export type { DocumentPart } from "./userdata/multipart.ts";
export { yamlText } from "./userdata/yaml-text.ts";
