import type { Clock } from "@capstan/contract";
import { formatEndpoint, type Endpoint } from "@capstan/contract/wire";
import { issueCertificate, renderKubeconfig, type CertificateAndKey } from "@capstan/pki";

const validityDays = 365;

/**
 * The kubeconfig of a cluster's administrator, as the Secret `<cluster>-kubeconfig` holds it: user `<cluster>-admin` with a client
 * certificate of one year.
 */
export const adminKubeconfig = async (options: {
  readonly clusterName: string;
  readonly endpoint: Endpoint;
  /** PEM of the authority that the API server's certificate is checked with. */
  readonly serverAuthority: string;
  /** Signs the client certificate. */
  readonly clientAuthority: CertificateAndKey;
  readonly clock: Clock;
}): Promise<string> => {
  const { clientAuthority, clock, clusterName, endpoint, serverAuthority } = options;
  const client = await issueCertificate(clientAuthority, {
    now: clock.now(),
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client"],
    validityDays,
    // An RSA key takes a thousand times as long to make, which is felt with a thousand clusters.
    algorithm: "ECDSA-P256",
  });
  return renderKubeconfig({
    server: `https://${formatEndpoint(endpoint)}`,
    certificateAuthority: serverAuthority,
    clusterName,
    userName: `${clusterName}-admin`,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
};
