import type { Access } from "./access.ts";
import type { KubeconfigSource } from "./auth/kubeconfig-source.ts";
import { plainAccess } from "./auth/plain-kubeconfig.ts";

/**
 * Access as a kubeconfig describes it, with exec plug-ins, OIDC, files and proxies. Loads a large library for exec plug-ins, auth
 * providers and the kubeconfigs of `from`. Throws `kube.kubeconfig_unusable`.
 */
export const loadKubeconfig = async (source: KubeconfigSource): Promise<Access> => {
  const plain = plainAccess(source);
  if (plain !== undefined) return plain;
  const { kubeconfigAccess } = await import("./auth/kubeconfig.ts");
  return kubeconfigAccess(source);
};
