import type { CertificateAndKey } from "@capstan/pki";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";

/** Data that the servers of a cluster of k3s or RKE2 share, and what they require of joining machines. */
export interface ServerRegistration {
  /** The password of servers. */
  readonly token: string;
  /** The password of agents; they may use that of servers too. */
  readonly agentToken: string | undefined;
  /** True if the distribution's own controller initializes Nodes. */
  readonly hasCloudController: boolean;
  /** Its network plugins: of k3s a part of the agent, of RKE2 DaemonSets. None: the user brings one. */
  readonly networkPlugins: readonly string[];
  /** Signs the certificates of the members of etcd inside the servers, and of their clients. */
  readonly etcdAuthority: CertificateAndKey;
  /** Material that a further server fetches from the existing ones. */
  readonly material: Omit<ControlPlaneMaterial, "file">;
}
