import { SecretPurpose } from "@capstan/contract";
import type { ClusterCertificate } from "@capstan/kit/bootstrap";
import type { ClusterConfiguration } from "../api/kubeadm-config.v1beta2.ts";

const defaultDirectory = "/etc/kubernetes/pki";

/**
 * The certificates and keys of a control plane and where its machines have them: ca, etcd, front proxy, ServiceAccount keys. With an
 * external etcd the user supplies its authority and the API server's client pair, for the paths of the configuration.
 */
export const kubeadmCertificates = (configuration: ClusterConfiguration = {}): readonly ClusterCertificate[] => {
  const { certificatesDir: directory = defaultDirectory, etcd } = configuration;
  const external = etcd?.external;
  const pair = (name: string) => ({ certificate: `${directory}/${name}.crt`, key: `${directory}/${name}.key` });
  const suppliedFor = "external etcd";
  return [
    { purpose: SecretPurpose.ca, files: pair("ca") },
    external === undefined
      ? { purpose: SecretPurpose.etcd, files: pair("etcd/ca") }
      : { purpose: SecretPurpose.etcd, suppliedFor, files: { certificate: external.caFile } },
    { purpose: SecretPurpose.proxy, files: pair("front-proxy-ca") },
    {
      purpose: SecretPurpose.serviceAccount,
      holds: "keys",
      files: { certificate: `${directory}/sa.pub`, key: `${directory}/sa.key` },
    },
    ...(external === undefined
      ? []
      : [
          {
            purpose: SecretPurpose.apiServerEtcdClient,
            suppliedFor,
            files: { certificate: external.certFile, key: external.keyFile },
          },
        ]),
  ];
};
