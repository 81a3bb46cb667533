import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CapstanError } from "@capstan/contract";
import { loadKubeconfig, type Access } from "@capstan/kube";
import { proxyFromEnvironment } from "@capstan/runtime";
import { type Environment, namedKubeconfigs, usualKubeconfigs } from "./kubeconfig-files.ts";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

const missing = (message: string): CapstanError =>
  new CapstanError({
    code: "manager.kubeconfig_missing",
    reason: "KubeconfigMissing",
    message,
    retry: { kind: "never" },
  });

const isInCluster = (environment: Environment): boolean =>
  environment["KUBERNETES_SERVICE_HOST"] !== undefined && existsSync(join(account, "token"));

/** The account of the Pod as a kubeconfig: its token file is rotated, and read again when the server refuses the token. */
export const podKubeconfig = (environment: Environment): string => {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "443" } = environment;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const name = "pod";
  return JSON.stringify({
    "current-context": name,
    clusters: [{ name, cluster: { server, "certificate-authority": join(account, "ca.crt") } }],
    users: [{ name, user: { tokenFile: join(account, "token") } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
};

/**
 * Access to the cluster: a given kubeconfig, else the account of the Pod, else kubectl's usual places; through the proxy that the
 * kubeconfig names, else that of the environment. Throws `manager.kubeconfig_missing`, `kube.kubeconfig_unusable`,
 * `runtime.proxy_invalid`.
 */
export const clusterAccess = async (...given: Parameters<typeof directAccess>): Promise<Access> => {
  const access = await directAccess(...given);
  const proxyUrl = access.proxyUrl ?? proxyFromEnvironment(given[1])(access.url);
  return proxyUrl === undefined ? access : { ...access, proxyUrl };
};

const directAccess = async (
  options: {
    readonly kubeconfig: string | undefined;
    readonly context: string | undefined;
    /** Message for a missing `kubeconfig` file. Default: blames the flag of that name. */
    readonly whenMissing?: string | undefined;
  },
  environment: Environment,
): Promise<Access> => {
  const { kubeconfig, context, whenMissing = `--kubeconfig ${kubeconfig}: there is no such file` } = options;
  const chosen = context === undefined ? {} : { context };
  if (kubeconfig !== undefined) {
    if (existsSync(kubeconfig)) return loadKubeconfig({ file: kubeconfig, ...chosen });
    throw missing(whenMissing);
  }
  if (isInCluster(environment)) return loadKubeconfig({ text: podKubeconfig(environment) });
  const usual = usualKubeconfigs(environment).filter(existsSync);
  if (usual[0] !== undefined && usual.length === 1) return loadKubeconfig({ file: usual[0], ...chosen });
  if (usual.length > 0) return loadKubeconfig({ from: "default", ...chosen });
  if (namedKubeconfigs(environment).length > 0) {
    throw missing(
      `KUBECONFIG names ${environment["KUBECONFIG"]}, which does not exist; correct it, or use --kubeconfig`,
    );
  }
  throw missing("no kubeconfig found: set --kubeconfig or KUBECONFIG, or run inside a cluster");
};

/** The namespace of the Pod this process runs in. */
export const ownNamespace = (): string | undefined => {
  const file = join(account, "namespace");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
};
