import type { Clock } from "@capstan/contract";
import { rfc3339, Secret } from "@capstan/contract";
import { connect, createClient, type Client } from "@capstan/kube";
import { issueCertificate, type CertificateAndKey } from "@capstan/pki";
import { resource } from "@capstan/schema";
import { stringify } from "yaml";

export const SecretResource = resource({
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  namespaced: true,
});

export const address = "127.0.0.1";

export interface File {
  readonly path: string;
  readonly content: string;
}

const kubeadm = "kubeadm.k8s.io/v1beta4";

/** User-data that writes files and runs one command. */
export const cloudConfig = (files: readonly File[], command: string): string =>
  Buffer.from(`#cloud-config\n${stringify({ write_files: files, runcmd: [command] })}`).toString("base64");

export const authorityFiles = ({ certificate, key }: CertificateAndKey, name = "ca"): readonly File[] => [
  { path: `/etc/kubernetes/pki/${name}.crt`, content: certificate },
  { path: `/etc/kubernetes/pki/${name}.key`, content: key },
];

/** `kubeadm init` of a cluster that is reached at `endpoint`, by default at the machine itself. */
export const initData = (
  files: readonly File[],
  {
    port,
    endpoint = `${address}:${port}`,
    etcd,
    bootstrapTokens,
    version = "v1.34.0",
  }: { port: number; endpoint?: string; etcd?: object; bootstrapTokens?: readonly object[]; version?: string },
): string => {
  const cluster = {
    apiVersion: kubeadm,
    kind: "ClusterConfiguration",
    kubernetesVersion: version,
    controlPlaneEndpoint: endpoint,
    ...(etcd !== undefined && { etcd }),
  };
  const init = {
    apiVersion: kubeadm,
    kind: "InitConfiguration",
    localAPIEndpoint: { bindPort: port },
    bootstrapTokens,
  };
  return cloudConfig(
    [...files, { path: "/run/kubeadm/kubeadm.yaml", content: `${stringify(cluster)}---\n${stringify(init)}` }],
    "kubeadm init --config /run/kubeadm/kubeadm.yaml",
  );
};

export interface Join {
  readonly endpoint: string;
  readonly token: string;
  readonly hash: string;
  /** A command for afterwards. */
  readonly afterwards?: string;
  /** With which the Node registers. Default: kubeadm's. */
  readonly taints?: readonly object[];
  /** Makes the machine a control plane that serves on this port. */
  readonly controlPlanePort?: number;
}

export const joinData = (join: Join, files: readonly File[] = []): string => {
  const { endpoint, token, hash, controlPlanePort, taints } = join;
  const content = stringify({
    apiVersion: kubeadm,
    kind: "JoinConfiguration",
    discovery: { bootstrapToken: { apiServerEndpoint: endpoint, token, caCertHashes: [hash] } },
    nodeRegistration: { kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }], taints },
    ...(controlPlanePort !== undefined && { controlPlane: { localAPIEndpoint: { bindPort: controlPlanePort } } }),
  });
  const all = [...files, { path: "/run/kubeadm/join.yaml", content }];
  const command = "kubeadm join --config /run/kubeadm/join.yaml";
  return cloudConfig(all, join.afterwards === undefined ? command : `${command} && ${join.afterwards}`);
};

/** An administrator of the cluster; `read` resolves with the answer to a GET, as text. */
export const administrator = async (
  authority: CertificateAndKey,
  endpoint: string,
  clock: Clock,
): Promise<{
  readonly client: Client;
  readonly read: (path: string) => Promise<string>;
  readonly close: () => Promise<void>;
}> => {
  const { certificate, key } = await issueCertificate(authority, {
    now: clock.now(),
    commonName: "admin",
    organizations: ["system:masters"],
    usages: ["client"],
  });
  const url = `https://${endpoint}`;
  const ca = authority.certificate;
  const connection = connect({ clock, url, ca, clientCertificate: certificate, clientKey: new Secret(key) });
  return {
    client: createClient(connection),
    read: async (path) => (await connection.send({ method: "GET", path })).body,
    close: () => connection.close(),
  };
};

export const putToken = async (client: Client, token: string, expires: number): Promise<void> => {
  const [id = "", secret = ""] = token.split(".");
  await client.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    type: "bootstrap.kubernetes.io/token",
    metadata: { namespace: "kube-system", name: `bootstrap-token-${id}` },
    stringData: {
      "token-id": id,
      "token-secret": secret,
      expiration: rfc3339(expires),
      "usage-bootstrap-authentication": "true",
      "usage-bootstrap-signing": "true",
      "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
    },
  });
};
