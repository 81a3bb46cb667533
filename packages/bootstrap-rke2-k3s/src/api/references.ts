import { type DeclaredReference, readsConfigMap, readsSecret } from "@capstan/schema";

/** Of files and registries, as both distributions have them. */
const common = [
  readsSecret("spec.files[*].contentFrom.secret"),
  readsConfigMap("spec.files[*].contentFrom.configMap"),
  readsSecret("spec.privateRegistriesConfig.configs[*].authSecret"),
  readsSecret("spec.privateRegistriesConfig.configs[*].tls.tlsConfigSecret"),
] as const;

export const rke2ConfigReferences = [
  ...common,
  readsConfigMap("spec.agentConfig.imageCredentialProviderConfigMap"),
  readsConfigMap("spec.agentConfig.resolvConf"),
] as const;

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

export const kthreesConfigReferences = [...common, readsSecret("spec.serverConfig.externalDatastoreSecret")] as const;

/** A KThreesControlPlane has the spec of its configs in a field. */
export const kthreesControlPlaneReferences: readonly DeclaredReference[] = kthreesConfigReferences.map((reference) => ({
  ...reference,
  path: reference.path.replace("spec.", "spec.kthreesConfigSpec."),
}));
