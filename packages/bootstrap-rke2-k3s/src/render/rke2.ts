import { cisScript } from "./cis-script.ts";
import type { Distribution } from "./distribution.ts";
import { rke2References, rke2Rows } from "./rke2-rows.ts";
import { rke2Version } from "./versions.ts";

export const rke2: Distribution = {
  name: "rke2",
  configDirectory: "/etc/rancher/rke2",
  dataDirectory: "/var/lib/rancher/rke2",
  version: rke2Version,
  authorities: [
    { purpose: "ca", file: "server-ca" },
    { purpose: "cca", file: "client-ca" },
    { purpose: "peer-etcd", file: "etcd/peer-ca" },
    { purpose: "etcd", file: "etcd/server-ca" },
  ],
  installer: {
    url: "https://get.rke2.io",
    versionVariable: "INSTALL_RKE2_VERSION",
    roleVariable: "INSTALL_RKE2_TYPE",
    offline: "INSTALL_RKE2_ARTIFACT_PATH=/opt/rke2-artifacts",
    ownVariables: ["VERSION", "COMMIT", "TYPE", "EXEC", "ARTIFACT_PATH"].map((name) => `INSTALL_RKE2_${name}`),
    starts: false,
  },
  services: { server: "rke2-server.service", agent: "rke2-agent.service" },
  rows: rke2Rows,
  references: rke2References,
  hardening: ({ source, version }) => cisScript(source.agent["cisProfile"], version),
};
