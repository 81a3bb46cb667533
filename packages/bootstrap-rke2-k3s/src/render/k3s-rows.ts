import type { Source } from "./node-input.ts";
import { type Row, rows } from "./row.ts";
import { clusterNetworkRows, namesOf } from "./shared-rows.ts";

const servers = { only: "servers" } as const;

const ciphers = [
  "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
  "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
  "TLS_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_RSA_WITH_AES_256_GCM_SHA384",
];

type Arguments = Readonly<Record<string, string>>;

/** The user's arguments, and those of `more` that the user does not set. Without a value an argument is left out. */
const withArguments =
  (more: (source: Source) => Arguments) =>
  (value: unknown, source: Source): readonly string[] => {
    const own = Array.isArray(value) ? (value as readonly string[]) : [];
    const added = Object.entries(more(source))
      .filter(([name, of]) => of !== "" && !own.some((argument) => argument.replace(/^-+/, "").split("=")[0] === name))
      .map(([name, of]) => `${name}=${of}`);
    return [...own, ...added];
  };

const cloudProvider = ({ server }: Source): Arguments => {
  const name = server["cloudProviderName"] ?? "external";
  return { "cloud-provider": typeof name === "string" ? name : "" };
};

const apiServer = (): Arguments => ({ "anonymous-auth": "true", "tls-cipher-suites": ciphers.join(",") });

/** All settings of k3s. */
export const k3sRows: readonly Row[] = [
  ...rows("agent", {
    nodeLabels: "node-label",
    nodeTaints: "node-taint",
    privateRegistry: "private-registry",
    kubeProxyArgs: "kube-proxy-arg",
    nodeName: "node-name",
  }),
  { from: "agent.kubeletArgs", key: "kubelet-arg", write: withArguments(cloudProvider) },
  { from: "server.kubeAPIServerArg", key: "kube-apiserver-arg", ...servers, write: withArguments(apiServer) },
  {
    from: "server.kubeControllerManagerArgs",
    key: "kube-controller-manager-arg",
    ...servers,
    write: withArguments(cloudProvider),
  },
  { from: "server.tlsSan", key: "tls-san", ...servers, write: namesOf },
  ...clusterNetworkRows,
  ...rows(
    "server",
    {
      kubeSchedulerArgs: "kube-scheduler-arg",
      bindAddress: "bind-address",
      httpsListenPort: "https-listen-port",
      advertiseAddress: "advertise-address",
      advertisePort: "advertise-port",
      clusterDNS: "cluster-dns",
      disableComponents: "disable",
      systemDefaultRegistry: "system-default-registry",
    },
    servers,
  ),
  {
    from: "server.disableCloudController",
    key: "disable-cloud-controller",
    ...servers,
    write: (value) => value ?? true,
  },
];
