import type { FileEntry } from "./sections.ts";

/** Certificates and keys of one purpose, as PEM text. An external authority has no key. */
export interface PemPair {
  readonly certificate: string;
  readonly key?: string;
}

export interface ClusterCertificates {
  readonly ca?: PemPair;
  readonly etcd?: PemPair;
  readonly proxy?: PemPair;
  readonly serviceAccount?: PemPair;
  readonly apiServerEtcdClient?: PemPair;
}

export interface ExternalEtcd {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const certificate = (path: string, content: string): FileEntry => ({
  path,
  owner: "root:root",
  permissions: "0640",
  content,
});

const key = (path: string, content: string | undefined): readonly FileEntry[] =>
  content === undefined || content === "" ? [] : [{ path, owner: "root:root", permissions: "0600", content }];

/**
 * Files that a control-plane machine gets: ca, etcd, front proxy, service-account keys, and with an external etcd its
 * authority and client pair at the paths of the configuration.
 */
export const certificateFiles = (
  certificates: ClusterCertificates,
  options: { readonly directory?: string; readonly externalEtcd?: ExternalEtcd } = {},
): readonly FileEntry[] => {
  const directory = (options.directory ?? "") === "" ? "/etc/kubernetes/pki" : (options.directory as string);
  const { ca, etcd, proxy, serviceAccount, apiServerEtcdClient } = certificates;
  const external = options.externalEtcd;
  return [
    ...pair(ca, `${directory}/ca.crt`, `${directory}/ca.key`),
    ...(external === undefined
      ? pair(etcd, `${directory}/etcd/ca.crt`, `${directory}/etcd/ca.key`)
      : pair(etcd === undefined ? undefined : { certificate: etcd.certificate }, external.caFile, "")),
    ...pair(proxy, `${directory}/front-proxy-ca.crt`, `${directory}/front-proxy-ca.key`),
    ...pair(serviceAccount, `${directory}/sa.pub`, `${directory}/sa.key`),
    ...(external === undefined ? [] : pair(apiServerEtcdClient, external.certFile, external.keyFile)),
  ];
};

const pair = (pem: PemPair | undefined, certificatePath: string, keyPath: string): readonly FileEntry[] =>
  pem === undefined ? [] : [certificate(certificatePath, pem.certificate), ...key(keyPath, pem.key)];
