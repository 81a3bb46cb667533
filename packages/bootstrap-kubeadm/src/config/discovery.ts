import type { Random } from "@capstan/contract";
import { cluster as clusterFields, formatEndpoint, isValidEndpoint } from "@capstan/contract/wire";
import { yamlText } from "@capstan/kit/userdata";
import { caCertHashes } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { Json } from "../render/kubeadm-documents.ts";
import type { FileEntry } from "../render/sections.ts";
import { newToken } from "./bootstrap-token.ts";

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

const filled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";

/** `host:port` of the Cluster, once both are known. */
export const endpointOf = (cluster: KubeObject): string | undefined => {
  const endpoint = clusterFields.endpoint.get(cluster);
  return isValidEndpoint(endpoint) ? formatEndpoint(endpoint) : undefined;
};

export type DiscoveryPlan =
  /** The Cluster has no endpoint yet. */
  | { readonly state: "no-endpoint" }
  | {
      readonly state: "planned";
      /** Merge patch of `spec.joinConfiguration`, to be persisted before the token is used; `undefined` when complete. */
      readonly patch: Json | undefined;
      /** The token whose Secret must exist in the workload cluster; absent with file discovery. */
      readonly token?: string;
    };

/**
 * Completes `joinConfiguration.discovery` where it is empty: hashes of the authority, endpoint, token; or with file discovery
 * the server and authority of its kubeconfig. What the user set is kept.
 */
export const planDiscovery = (
  joinConfiguration: Json,
  facts: { readonly cluster: KubeObject; readonly authority: string; readonly random: Random },
): DiscoveryPlan => {
  const discovery = object(joinConfiguration["discovery"]);
  if (discovery["file"] !== undefined) return planFile(object(discovery["file"]), facts);
  const present = object(discovery["bootstrapToken"]);
  const endpoint = endpointOf(facts.cluster);
  if (!filled(present["apiServerEndpoint"]) && endpoint === undefined) return { state: "no-endpoint" };
  const hashes = caCertHashes(facts.authority);
  const token = filled(present["token"]) ? String(present["token"]) : newToken(facts.random);
  const additions = {
    ...(filled(present["caCertHashes"]) || present["unsafeSkipCAVerification"] === true
      ? {}
      : hashes.length === 0
        ? { unsafeSkipCAVerification: true }
        : { caCertHashes: hashes }),
    ...(filled(present["apiServerEndpoint"]) ? {} : { apiServerEndpoint: endpoint }),
    ...(filled(present["token"]) ? {} : { token }),
  };
  const complete = Object.keys(additions).length === 0;
  return { state: "planned", patch: complete ? undefined : { discovery: { bootstrapToken: additions } }, token };
};

const planFile = (file: Json, facts: { readonly cluster: KubeObject; readonly authority: string }): DiscoveryPlan => {
  if (file["kubeConfig"] === undefined) return { state: "planned", patch: undefined };
  const target = object(object(file["kubeConfig"])["cluster"]);
  const endpoint = endpointOf(facts.cluster);
  if (!filled(target["server"]) && endpoint === undefined) return { state: "no-endpoint" };
  const additions = {
    ...(filled(target["server"]) ? {} : { server: `https://${endpoint ?? ""}` }),
    ...(filled(target["certificateAuthorityData"])
      ? {}
      : { certificateAuthorityData: Buffer.from(facts.authority).toString("base64") }),
  };
  if (Object.keys(additions).length === 0) return { state: "planned", patch: undefined };
  return { state: "planned", patch: { discovery: { file: { kubeConfig: { cluster: additions } } } } };
};

/** The kubeconfig file of file discovery with an inline kubeconfig: one cluster, user and context, all named `default`. */
export const discoveryFile = (joinConfiguration: Json): FileEntry | undefined => {
  const file = object(object(joinConfiguration["discovery"])["file"]);
  const kubeConfig = file["kubeConfig"];
  if (kubeConfig === undefined) return undefined;
  return {
    path: String(file["kubeConfigPath"]),
    owner: "root:root",
    permissions: "0640",
    content: renderDiscoveryKubeconfig(object(kubeConfig)),
  };
};

const renderDiscoveryKubeconfig = (kubeConfig: Json): string => {
  const user = object(kubeConfig["user"]);
  const exec = user["exec"];
  return yamlText({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "default", cluster: renamed(object(kubeConfig["cluster"]), clusterNames) }],
    contexts: [{ name: "default", context: { cluster: "default", user: "default" } }],
    "current-context": "default",
    users: [
      {
        name: "default",
        user:
          exec === undefined
            ? { "auth-provider": object(user["authProvider"]) }
            : { exec: { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", ...object(exec) } },
      },
    ],
  });
};

const clusterNames = {
  server: "server",
  certificateAuthorityData: "certificate-authority-data",
  tlsServerName: "tls-server-name",
  insecureSkipTLSVerify: "insecure-skip-tls-verify",
  proxyURL: "proxy-url",
} as const;

const renamed = (source: Json, names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (source[from] === undefined ? [] : [[to, source[from]]])),
  );
