export { renderBootstrapDocument } from "./render/bootstrap-document.ts";
export type { BootstrapDocument } from "./render/bootstrap-document.ts";
export { kubeadmCertificates } from "./render/kubeadm-certificates.ts";
export { clusterConfiguration, initConfiguration, joinConfiguration } from "./render/kubeadm-documents.ts";
export type { ClusterFacts } from "./render/kubeadm-documents.ts";
export { kubeadmApiFor } from "./render/kubeadm-version.ts";
export type { KubeadmApi } from "./render/kubeadm-version.ts";
