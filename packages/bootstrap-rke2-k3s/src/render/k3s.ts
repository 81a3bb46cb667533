import type { Distribution } from "./distribution.ts";
import { externalDatastore } from "./external-datastore.ts";
import { etcdProxy } from "./etcd-proxy.ts";
import { k3sRows } from "./k3s-rows.ts";
import { k3sVersion } from "./versions.ts";

export const k3s: Distribution = {
  name: "k3s",
  configDirectory: "/etc/rancher/k3s",
  dataDirectory: "/var/lib/rancher/k3s",
  version: k3sVersion,
  authorities: [
    { purpose: "ca", file: "server-ca" },
    { purpose: "cca", file: "client-ca" },
    { purpose: "etcd", file: "etcd/server-ca" },
  ],
  initKey: "cluster-init",
  installer: {
    url: "https://get.k3s.io",
    versionVariable: "INSTALL_K3S_VERSION",
    roleVariable: "INSTALL_K3S_EXEC",
    offline: "INSTALL_K3S_SKIP_DOWNLOAD=true",
    ownVariables: ["VERSION", "COMMIT", "EXEC", "SKIP_DOWNLOAD", "SKIP_START", "SKIP_ENABLE"].map(
      (name) => `INSTALL_K3S_${name}`,
    ),
    starts: true,
  },
  services: { server: "k3s.service", agent: "k3s-agent.service" },
  rows: k3sRows,
  references: [externalDatastore("/etc/rancher/k3s")],
  // Without etcd there is nothing to reach.
  manifests: ({ references, source }) =>
    references.has(externalDatastore("").from) ? {} : { "etcd-proxy.yaml": etcdProxy(source.server) },
};
