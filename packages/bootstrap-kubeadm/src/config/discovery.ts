import type { Random } from "@capstan/contract";
import { cluster as clusterFields, formatEndpoint, type MergePatch } from "@capstan/contract/wire";
import { type FileEntry, rootFile, yamlText } from "@capstan/kit/bootstrap";
import { toBase64 } from "@capstan/kube-values";
import { caCertHashes } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { JoinConfiguration } from "../api/kubeadm-config.v1beta2.ts";
import { newToken } from "./bootstrap-token.ts";

type FileDiscovery = NonNullable<NonNullable<JoinConfiguration["discovery"]>["file"]>;
type DiscoveryKubeconfig = NonNullable<FileDiscovery["kubeConfig"]>;

/** `host:port` of the Cluster, once both are known. */
export const endpointOf = (cluster: KubeObject): string | undefined => {
  const endpoint = clusterFields.endpoint.get(cluster);
  return endpoint === undefined ? undefined : formatEndpoint(endpoint);
};

export type DiscoveryPlan =
  /** The Cluster has no endpoint yet. */
  | { readonly state: "no-endpoint" }
  | {
      readonly state: "planned";
      /** Merge patch of `spec.joinConfiguration`, to be persisted before the token is used; `undefined` when complete. */
      readonly patch: MergePatch | undefined;
      /** The token whose Secret must exist in the workload cluster; absent with file discovery. */
      readonly token?: string;
    };

interface Facts {
  readonly cluster: KubeObject;
  /** PEM of the cluster's authority. */
  readonly authority: string;
  readonly random: Random;
}

/** The fields of `wanted` that `present` does not have; `undefined` when it has them all. */
const additions = (present: object, wanted: Readonly<Record<string, unknown>>): MergePatch | undefined => {
  const missing = Object.entries(wanted).filter(([name, value]) => value !== undefined && !(name in present));
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
};

/**
 * Completes `joinConfiguration.discovery` where it is empty: hashes of the authority, endpoint, token; or with file discovery
 * the server and authority of its kubeconfig. What the user set is kept.
 */
export const planDiscovery = ({ discovery = {} }: JoinConfiguration, facts: Facts): DiscoveryPlan => {
  if (discovery.file !== undefined) return planFile(discovery.file, facts);
  const present = discovery.bootstrapToken ?? {};
  const apiServerEndpoint = present.apiServerEndpoint ?? endpointOf(facts.cluster);
  if (apiServerEndpoint === undefined) return { state: "no-endpoint" };
  const hashes = caCertHashes(facts.authority);
  const token = present.token ?? newToken(facts.random);
  const pinned = hashes.length === 0 ? { unsafeSkipCAVerification: true } : { caCertHashes: hashes };
  const unpinned = present.caCertHashes === undefined && present.unsafeSkipCAVerification !== true;
  const bootstrapToken = additions(present, { ...(unpinned && pinned), apiServerEndpoint, token });
  return { state: "planned", patch: bootstrapToken && { discovery: { bootstrapToken } }, token };
};

const planFile = ({ kubeConfig }: FileDiscovery, facts: Facts): DiscoveryPlan => {
  if (kubeConfig === undefined) return { state: "planned", patch: undefined };
  const present = kubeConfig.cluster ?? {};
  const endpoint = endpointOf(facts.cluster);
  if (present.server === undefined && endpoint === undefined) return { state: "no-endpoint" };
  const cluster = additions(present, {
    server: `https://${endpoint}`,
    certificateAuthorityData: toBase64(facts.authority),
  });
  return { state: "planned", patch: cluster && { discovery: { file: { kubeConfig: { cluster } } } } };
};

/** The kubeconfig file of file discovery with an inline kubeconfig: one cluster, user and context, all named `default`. */
export const discoveryFile = ({ discovery: { file } = {} }: JoinConfiguration): FileEntry | undefined =>
  file?.kubeConfig && rootFile(file.kubeConfigPath, renderDiscoveryKubeconfig(file.kubeConfig));

const renderDiscoveryKubeconfig = ({ cluster = {}, user: { authProvider, exec } }: DiscoveryKubeconfig): string =>
  yamlText({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "default",
        cluster: {
          server: cluster.server,
          "certificate-authority-data": cluster.certificateAuthorityData,
          "tls-server-name": cluster.tlsServerName,
          "insecure-skip-tls-verify": cluster.insecureSkipTLSVerify,
          "proxy-url": cluster.proxyURL,
        },
      },
    ],
    contexts: [{ name: "default", context: { cluster: "default", user: "default" } }],
    "current-context": "default",
    users: [
      {
        name: "default",
        user:
          exec === undefined
            ? { "auth-provider": authProvider ?? {} }
            : { exec: { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", ...exec } },
      },
    ],
  });
