import { readsConfigMap, readsSecret } from "@capstan/schema";

/** References of files and registries, shared by both distributions. */
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

export const kthreesConfigReferences = [...common, readsSecret("spec.serverConfig.externalDatastoreSecret")] as const;
