import type { RequestOptions } from "node:https";
import { CapstanError, Secret } from "@capstan/contract";
import { KubeConfig } from "@kubernetes/client-node";
import type { Access, Credentials, TlsMaterial } from "../access.ts";
import type { KubeconfigSource } from "../load-kubeconfig.ts";

const read = (source: KubeconfigSource): KubeConfig => {
  const config = new KubeConfig();
  if ("text" in source) config.loadFromString(source.text);
  else if ("file" in source) config.loadFromFile(source.file);
  else if (source.from === "cluster") config.loadFromCluster();
  else config.loadFromDefault();
  if (source.context !== undefined) config.setCurrentContext(source.context);
  // The library refuses plain HTTP unless certificates are not verified; there are none to verify.
  config.clusters = config.clusters.map((cluster) =>
    cluster.server.startsWith("http:") ? { ...cluster, skipTLSVerify: true } : cluster,
  );
  return config;
};

const unusable = (what: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "kube.kubeconfig_unusable",
    reason: "KubeconfigUnusable",
    message: `the kubeconfig cannot be used: ${what}`,
    retry: { kind: "never" },
    cause,
  });

const text = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

const tlsOf = (options: RequestOptions): TlsMaterial => {
  const ca = text(options.ca);
  const clientCertificate = text(options.cert);
  const clientKey = text(options.key);
  return {
    ...(ca !== undefined && { ca }),
    ...(clientCertificate !== undefined && { clientCertificate }),
    ...(clientKey !== undefined && { clientKey: new Secret(clientKey) }),
    ...(options.servername !== undefined && { serverName: options.servername }),
    ...(options.rejectUnauthorized === false && { skipVerify: true }),
  };
};

/** Runs what the kubeconfig says: reads files, calls exec plug-ins, refreshes tokens; each keeps what is still valid. */
const credentialsOf = async (config: KubeConfig): Promise<Credentials> => {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    throw new CapstanError({
      code: "kube.unauthorized",
      reason: "CredentialsUnavailable",
      message: `user "${config.getCurrentUser()?.name}" of the kubeconfig: no credentials could be obtained`,
      cause,
    });
  }
  const header = (options.headers as Readonly<Record<string, string | undefined>>)["Authorization"];
  const basic = typeof options.auth === "string" ? `Basic ${Buffer.from(options.auth).toString("base64")}` : undefined;
  // A token that was read from a file may end in a newline.
  const authorization = (header ?? basic)?.trim();
  return { tls: tlsOf(options), ...(authorization !== undefined && { authorization: new Secret(authorization) }) };
};

/** Access to the cluster of the current context. Throws `kube.kubeconfig_unusable`. */
export const kubeconfigAccess = (source: KubeconfigSource): Access => {
  let config: KubeConfig;
  try {
    config = read(source);
  } catch (cause) {
    throw unusable("it cannot be read", cause);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw unusable(`context "${config.getCurrentContext()}" names no cluster`);
  return {
    url: cluster.server,
    ...(cluster.proxyUrl !== undefined && { proxyUrl: cluster.proxyUrl }),
    credentials: () => credentialsOf(config),
  };
};
