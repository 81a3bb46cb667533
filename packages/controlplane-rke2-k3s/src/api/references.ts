import { kthreesConfigReferences, rke2ConfigReferences } from "@capstan/bootstrap-rke2-k3s/spec";
import { type DeclaredReference, readsConfigMap, readsSecret } from "@capstan/schema";

export const rke2ControlPlaneReferences = [
  ...rke2ConfigReferences,
  readsConfigMap("spec.manifestsConfigMapReference"),
  readsConfigMap("spec.serverConfig.cloudProviderConfigMap"),
  readsSecret("spec.serverConfig.auditPolicySecret"),
  readsSecret("spec.serverConfig.etcd.backupConfig.s3.endpointCAsecret"),
  readsSecret("spec.serverConfig.etcd.backupConfig.s3.s3CredentialSecret"),
  readsSecret("spec.serverConfig.externalDatastoreSecret"),
  readsSecret("spec.serverConfig.secretsEncryption.encryptionKeySecret"),
] as const;

/** A KThreesControlPlane has the spec of its configs in a field. */
export const kthreesControlPlaneReferences: readonly DeclaredReference[] = kthreesConfigReferences.map((reference) => ({
  ...reference,
  path: reference.path.replace("spec.", "spec.kthreesConfigSpec."),
}));
