import { kubeadmCertificates } from "@capstan/bootstrap-kubeadm/render";
import { CapstanError } from "@capstan/contract";
import { clusterSecretKey, findClusterSecret, lostCertificate } from "@capstan/kit/bootstrap";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import type { CertificateAndKey } from "@capstan/pki";
import type { KubeadmControlPlane } from "../api.ts";

/**
 * An authority of the cluster, to sign with. `consequence` says what cannot be done without it. Throws `kubeadm.authority_missing`, which
 * says whether the Secret is gone or its key.
 */
export const signingAuthority = async (
  context: ControlPlaneContext<KubeadmControlPlane>,
  { consequence, purpose }: { readonly consequence: string; readonly purpose: string },
): Promise<CertificateAndKey> => {
  const data = await findClusterSecret(context, purpose);
  const { "tls.crt": certificate = "", "tls.key": key = "" } = data ?? {};
  if (certificate !== "" && key !== "") return { certificate, key };
  const { namespace, name } = clusterSecretKey(context, purpose);
  const lacking = certificate === "" ? "tls.crt" : "tls.key";
  const wanted = kubeadmCertificates(context.object.spec.kubeadmConfigSpec?.clusterConfiguration);
  const certificateOf = wanted.find((each) => each.purpose === purpose) ?? { purpose };
  throw new CapstanError({
    code: "kubeadm.authority_missing",
    reason: "AuthorityMissing",
    message:
      data === undefined
        ? lostCertificate(context, certificateOf, consequence)
        : `Secret ${namespace}/${name} has no key ${lacking}: ${consequence}; put it there`,
  });
};
