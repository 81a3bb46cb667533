import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CapstanError } from "@capstan/contract";
import { loadKubeconfig, type Access } from "@capstan/kube";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

const missing = (message: string): CapstanError =>
  new CapstanError({
    code: "manager.kubeconfig_missing",
    reason: "KubeconfigMissing",
    message,
    retry: { kind: "never" },
  });

type Environment = Readonly<Record<string, string | undefined>>;

const isInCluster = (environment: Environment): boolean =>
  environment["KUBERNETES_SERVICE_HOST"] !== undefined && existsSync(join(account, "token"));

/**
 * Access to the cluster: a given kubeconfig, else the account of the Pod, else kubectl's usual places. Throws
 * `manager.kubeconfig_missing`, `kube.kubeconfig_unusable`.
 */
export const clusterAccess = async (
  options: { readonly kubeconfig: string | undefined; readonly context: string | undefined },
  environment: Environment,
): Promise<Access> => {
  const { kubeconfig, context } = options;
  const chosen = context === undefined ? {} : { context };
  if (kubeconfig !== undefined) {
    if (existsSync(kubeconfig)) return loadKubeconfig({ file: kubeconfig, ...chosen });
    throw missing(`--kubeconfig ${kubeconfig}: there is no such file`);
  }
  if (isInCluster(environment)) return loadKubeconfig({ from: "cluster" });
  const usual = (environment["KUBECONFIG"] ?? join(homedir(), ".kube", "config")).split(":").filter(existsSync);
  if (usual.length > 0) return loadKubeconfig({ from: "default", ...chosen });
  throw missing("there is no kubeconfig: name one with --kubeconfig or KUBECONFIG, or run inside a cluster");
};

/** The namespace of the Pod this process runs in. */
export const ownNamespace = (): string | undefined => {
  const file = join(account, "namespace");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
};
