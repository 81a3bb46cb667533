import { clusterConfiguration, kubeadmApiFor } from "@capstan/bootstrap-kubeadm/render";
import { CapstanError } from "@capstan/contract";
import { ConfigMapResource } from "@capstan/contract/wire";
import { yamlText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, sameJson, type JsonObject, type KubeObject } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import { machineConfig } from "../config/machine-config.ts";
import type { Call } from "./call.ts";

export const kubeadmConfigKey = { namespace: "kube-system", name: "kubeadm-config" } as const;
const entry = "ClusterConfiguration";

/** Returns whether kubeadm has begun the cluster: it leaves its configuration there. */
export const hasKubeadmConfig = async (client: Client, call: Call): Promise<boolean> =>
  (await client.find(ConfigMapResource, kubeadmConfigKey, call)) !== undefined;

const unreadable = (why: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.cluster_configuration_unreadable",
    reason: "ClusterConfigurationUnreadable",
    message: `ConfigMap ${kubeadmConfigKey.namespace}/${kubeadmConfigKey.name} of the workload cluster ${why}; restore it with kubeadm init phase upload-config kubeadm`,
  });

const configurationIn = (map: KubeObject): JsonObject => {
  const data = map["data"] as Readonly<Record<string, string>> | undefined;
  let value: unknown;
  try {
    value = readYamlValue(data?.[entry] ?? "");
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = error.line === undefined ? "" : `line ${error.line}: `;
    throw unreadable(`has a ${entry} that is not valid YAML: ${line}${error.message}`);
  }
  if (!isJsonObject(value)) throw unreadable(`has no ${entry}`);
  return value;
};

const defined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/**
 * Returns the configuration that kubeadm reads when the next Machine joins: our fields as desired, all others
 * unchanged.
 */
const wantedConfiguration = (current: JsonObject, { spec }: KubeadmControlPlane): JsonObject => {
  const {
    dns: _,
    controlPlaneEndpoint: __,
    ...configuration
  } = machineConfig({ spec }, "init").clusterConfiguration ?? {};
  const { initConfiguration } = spec.kubeadmConfigSpec ?? {};
  const rendered = clusterConfiguration(
    configuration,
    { clusterName: "", kubernetesVersion: spec.version },
    {
      api: kubeadmApiFor(spec.version),
      controlPlaneTimeoutSeconds: initConfiguration?.timeouts?.controlPlaneComponentHealthCheckSeconds,
    },
  );
  const {
    clusterName: _name,
    networking: _net,
    dns: _dns,
    controlPlaneEndpoint: _end,
    certificatesDir: _dir,
    ...ours
  } = rendered;
  return { ...current, ...defined(JSON.parse(JSON.stringify(ours)) as JsonObject) };
};

/** Brings the configuration that joining Machines read to what is wanted. Throws `kubeadm.cluster_configuration_unreadable`. */
export const updateKubeadmConfig = (client: Client, object: KubeadmControlPlane, call: Call): Promise<void> =>
  changeConfiguration(client, (current) => wantedConfiguration(current, object), call);

/** Notes the image of CoreDNS in the same configuration. Throws `kubeadm.cluster_configuration_unreadable`. */
export const updateKubeadmDns = (client: Client, dns: JsonObject = {}, call: Call): Promise<void> =>
  changeConfiguration(client, (current) => ({ ...current, dns }), call);

const changeConfiguration = async (
  client: Client,
  change: (current: JsonObject) => JsonObject,
  call: Call,
): Promise<void> => {
  const map = await client.find(ConfigMapResource, kubeadmConfigKey, call);
  if (map === undefined) throw unreadable("does not exist");
  const current = configurationIn(map);
  const wanted = change(current);
  if (sameJson(current, wanted)) return;
  const { resourceVersion } = map.metadata;
  const body = { metadata: { resourceVersion }, data: { [entry]: yamlText(wanted) } };
  await client.patch(ConfigMapResource, kubeadmConfigKey, { type: "merge", body }, call);
};
