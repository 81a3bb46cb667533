import type { Access } from "./access.ts";

/** `from`: the service account of the Pod this process runs in, or kubectl's usual places. */
export type KubeconfigSource = (
  | { readonly file: string }
  | { readonly text: string }
  | { readonly from: "cluster" | "default" }
) & {
  /** Default: the current context. */
  readonly context?: string;
};

/**
 * Access as a kubeconfig describes it, with exec plug-ins, OIDC, files and proxies. Loads a large library on first use;
 * for a kubeconfig with its credentials inside, give them to `connect` directly. Throws `kube.kubeconfig_unusable`.
 */
export const loadKubeconfig = async (source: KubeconfigSource): Promise<Access> => {
  const { kubeconfigAccess } = await import("./auth/kubeconfig.ts");
  return kubeconfigAccess(source);
};
