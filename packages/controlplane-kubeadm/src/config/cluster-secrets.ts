import { kubeadmCertificates } from "@capstan/bootstrap-kubeadm/render";
import { controlPlaneSecrets } from "@capstan/kit/bootstrap";
import { KubeadmControlPlane } from "../api.ts";

/** The certificates of a cluster, as its clusterConfiguration wants them, and the kubeconfig of its administrator. */
export const secrets = controlPlaneSecrets({
  kind: KubeadmControlPlane,
  certificates: ({ object: { spec } }) => kubeadmCertificates(spec.kubeadmConfigSpec?.clusterConfiguration),
  generate: ({ object: { spec } }) => {
    const { caCertificateValidityPeriodDays, encryptionAlgorithm } = spec.kubeadmConfigSpec?.clusterConfiguration ?? {};
    return { validityDays: caCertificateValidityPeriodDays, algorithm: encryptionAlgorithm };
  },
});
