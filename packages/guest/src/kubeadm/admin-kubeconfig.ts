import { toBase64 } from "@capstan/kube-values";
import { issueCertificate, type CertificateAndKey } from "@capstan/pki";
import type { MachineContext } from "../node/machine-context.ts";

/** The kubeconfig with which people and scripts on a control-plane machine reach its cluster. */
const adminConf = "/etc/kubernetes/admin.conf";

/** Who the kubeconfigs are of that a control plane has, by their files. */
const users: Readonly<Record<string, { readonly name: string; readonly group?: string }>> = {
  [adminConf]: { name: "kubernetes-admin", group: "system:masters" },
  "/etc/kubernetes/controller-manager.conf": { name: "system:kube-controller-manager" },
  "/etc/kubernetes/scheduler.conf": { name: "system:kube-scheduler" },
};

/** Made by `kubeadm init` since v1.29. */
const superAdmin = {
  "/etc/kubernetes/super-admin.conf": { name: "kubernetes-super-admin", group: "system:masters" },
} as const;

interface Kubeconfigs {
  readonly endpoint: string;
  readonly authority: CertificateAndKey;
  readonly hasSuperAdmin: boolean;
}

/** Writes the kubeconfigs of a control plane that are not there yet. */
export const writeKubeconfigs = async (
  machine: MachineContext,
  { authority, endpoint, hasSuperAdmin }: Kubeconfigs,
): Promise<void> => {
  for (const [path, user] of Object.entries({ ...users, ...(hasSuperAdmin && superAdmin) })) {
    if (machine.disk.stat(path) !== undefined) continue;
    const text = await kubeconfigOf(user, { authority, endpoint, now: machine.clock.now() });
    machine.disk.write(path, text, { permissions: "0600" });
  }
};

const kubeconfigOf = async (
  user: { readonly name: string; readonly group?: string },
  { authority, endpoint, now }: Omit<Kubeconfigs, "hasSuperAdmin"> & { readonly now: number },
): Promise<string> => {
  const { certificate, key } = await issueCertificate(authority, {
    now,
    commonName: user.name,
    ...(user.group !== undefined && { organizations: [user.group] }),
    usages: ["client"],
    algorithm: "ECDSA-P256",
  });
  const context = `${user.name}@kubernetes`;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "kubernetes",
        cluster: { "certificate-authority-data": toBase64(authority.certificate), server: `https://${endpoint}` },
      },
    ],
    contexts: [{ name: context, context: { cluster: "kubernetes", user: user.name } }],
    "current-context": context,
    users: [
      {
        name: user.name,
        user: { "client-certificate-data": toBase64(certificate), "client-key-data": toBase64(key) },
      },
    ],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
};
