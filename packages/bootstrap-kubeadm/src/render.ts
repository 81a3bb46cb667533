export { renderBootstrapDocument } from "./render/bootstrap-document.ts";
export type { BootstrapDocument } from "./render/bootstrap-document.ts";
export { certificateFiles } from "./render/certificate-files.ts";
export type { ClusterCertificates, ExternalEtcd, PemPair } from "./render/certificate-files.ts";
export { clusterConfiguration, initConfiguration, joinConfiguration } from "./render/kubeadm-documents.ts";
export type { ClusterFacts, Json } from "./render/kubeadm-documents.ts";
export { kubeadmApiFor } from "./render/kubeadm-version.ts";
export type { KubeadmApi } from "./render/kubeadm-version.ts";
export type { FileEntry } from "./render/sections.ts";
