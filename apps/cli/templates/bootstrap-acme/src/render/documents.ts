import { Taint } from "@capstan/contract";
import {
  certificateFiles,
  cloudInitDocument,
  type ClusterCertificate,
  type FileEntry,
  type PemPairs,
  rootFile,
  sentinelPlaceholder,
  withSuccessSentinel,
  yamlText,
} from "@capstan/kit/bootstrap";

const folder = "/etc/kubernetes/pki";
const authority = (purpose: string, path: string): ClusterCertificate => ({
  purpose,
  files: { certificate: `${folder}/${path}.crt`, key: `${folder}/${path}.key` },
});

/** Certificates of a control plane, each in a Secret `<cluster>-<purpose>`. */
export const certificates: readonly ClusterCertificate[] = [
  authority("ca", "ca"),
  authority("etcd", "etcd/ca"),
  authority("proxy", "front-proxy-ca"),
  { purpose: "sa", holds: "keys", files: { certificate: `${folder}/sa.pub`, key: `${folder}/sa.key` } },
];

/** Setup of every machine. */
export interface Setup {
  readonly clusterName: string;
  readonly version: string;
  /** Host and port of the API server. */
  readonly endpoint: string;
  /** 32 hexadecimal digits, the same for all machines. */
  readonly token: string;
  /** Contents resolved. */
  readonly files: readonly FileEntry[];
  readonly commands: readonly string[];
}

const kubeadm = (name: string, fields: object) => ({ apiVersion: "kubeadm.k8s.io/v1beta4", kind: name, ...fields });
const joinToken = (token: string): string => `${token.slice(0, 6)}.${token.slice(6, 22)}`;
// Nothing here installs a cloud controller, so that the kubelet itself says which server it is on.
const registration = { kubeletExtraArgs: [{ name: "provider-id", value: "linode://{{ ds.meta_data.id }}" }] };

const document = (
  setup: Setup,
  command: "init" | "join",
  pairs: PemPairs,
  configuration: readonly object[],
): string => {
  const path = "/run/kubeadm/kubeadm.yaml";
  const text = configuration.map((part) => yamlText(part)).join("---\n");
  return cloudInitDocument({
    files: [...certificateFiles(certificates, pairs), ...setup.files, rootFile(path, text), sentinelPlaceholder],
    // cloud-init makes one script of all commands, so that each sees what one before it exports.
    commands: [
      `export KUBERNETES_VERSION=${setup.version}`,
      ...setup.commands,
      withSuccessSentinel(`kubeadm ${command} --config ${path}`),
    ],
  });
};

/** The document of the first machine. */
export const initDocument = (setup: Setup, pairs: PemPairs): string =>
  document(setup, "init", pairs, [
    kubeadm("ClusterConfiguration", {
      clusterName: setup.clusterName,
      controlPlaneEndpoint: setup.endpoint,
      kubernetesVersion: setup.version,
    }),
    kubeadm("InitConfiguration", {
      bootstrapTokens: [{ token: joinToken(setup.token), ttl: "0s" }],
      nodeRegistration: registration,
    }),
  ]);

/** The document of every other machine. Those of the control plane get `pairs`. */
export const joinDocument = (setup: Setup, caCertHashes: readonly string[], pairs?: PemPairs): string =>
  document(setup, "join", pairs ?? new Map(), [
    kubeadm("JoinConfiguration", {
      ...(pairs !== undefined && { controlPlane: {} }),
      discovery: {
        bootstrapToken: { apiServerEndpoint: setup.endpoint, caCertHashes, token: joinToken(setup.token) },
      },
      nodeRegistration: { ...registration, ...(pairs === undefined && { taints: [Taint.uninitialized] }) },
    }),
  ]);
