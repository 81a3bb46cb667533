import type { Extension } from "./extension.ts";

const text = 'type="string"';
const flag = 'type="boolean"';
const struct = 'type="object"';

/** A reference to an object, as upstream's RKE2 kinds have it. */
const reference = (path: string): readonly string[] => [
  `${path} ${struct} x-map-type="atomic"`,
  ...["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"].map(
    (name) => `${path}.${name} ${text}`,
  ),
];

const either = (message: string, rule: string): string => `x-validations=[${JSON.stringify({ message, rule })}]`;

const registry = ".privateRegistriesConfig.configs{}";
const source = ".files[].contentFrom";
const additional = ".agentConfig.additionalUserData";

/** Below the spec of a KThreesConfig. */
const facts: readonly string[] = [
  `${additional} ${struct} ${either("Only config or data could be populated at once", "!has(self.data) || !has(self.config)")}`,
  `${additional}.config ${text}`,
  `${additional}.data ${struct}`,
  `${additional}.data{} ${text}`,
  `${additional}.strict ${flag}`,
  `.agentConfig.format enum=["cloud-config","ignition"] ${text}`,
  `.agentConfig.ntp ${struct}`,
  `.agentConfig.ntp.enabled ${flag}`,
  `.agentConfig.ntp.servers type="array"`,
  `.agentConfig.ntp.servers[] ${text}`,
  `${source} ${struct}`,
  `${source} ${struct} ${either("Only configMap or secret can be populated at once", "!(has(self.secret) && has(self.configMap))")}`,
  `${source}.configMap ${struct}`,
  `${source}.configMap.key* ${text}`,
  `${source}.configMap.name* ${text}`,
  `${source}.configMap.namespace ${text}`,
  `${source}.secret ${struct}`,
  `${source}.secret* ${struct}`,
  `${source}.secret.namespace ${text}`,
  `.gzipUserData ${flag}`,
  `.privateRegistriesConfig ${struct}`,
  `.privateRegistriesConfig.configs ${struct}`,
  `${registry} ${struct}`,
  ...reference(`${registry}.authSecret`),
  `${registry}.tls ${struct}`,
  `${registry}.tls.insecureSkipVerify ${flag}`,
  ...reference(`${registry}.tls.tlsConfigSecret`),
  `.privateRegistriesConfig.mirrors ${struct}`,
  `.privateRegistriesConfig.mirrors{} ${struct}`,
  `.privateRegistriesConfig.mirrors{}.endpoint type="array"`,
  `.privateRegistriesConfig.mirrors{}.endpoint[] ${text}`,
  `.privateRegistriesConfig.mirrors{}.rewrite ${struct}`,
  `.privateRegistriesConfig.mirrors{}.rewrite{} ${text}`,
  ...reference(".serverConfig.externalDatastoreSecret"),
];

const places: Readonly<Record<string, string>> = {
  KThreesConfig: ".spec",
  KThreesConfigTemplate: ".spec.template.spec",
  KThreesControlPlane: ".spec.kthreesConfigSpec",
  KThreesControlPlaneTemplate: ".spec.template.spec.kthreesConfigSpec",
};

/**
 * Fields of RKE2Configs that upstream's KThreesConfigs lack: format, time servers, registries, packing, ConfigMaps, a
 * database.
 */
export const kthreesExtensions: readonly Extension[] = Object.entries(places).map(([kind, path]) => ({
  kind,
  why: "The documents of k3s are made as those of RKE2: what RKE2Configs say about them, KThreesConfigs say too.",
  facts: facts.map((fact) => `v1beta2 ${path}${fact}`),
}));
