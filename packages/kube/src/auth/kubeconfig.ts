import { readFileSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { dirname, resolve } from "node:path";
import { CapstanError, Secret } from "@capstan/contract";
import { toBase64 } from "@capstan/kube-values";
import { KubeConfig } from "@kubernetes/client-node";
import { readYamlValue } from "@capstan/kube-values/yaml";
import type { Access, Credentials, TlsMaterial } from "../access.ts";
import type { KubeconfigSource } from "./kubeconfig-source.ts";
import { withTokenFile } from "./token-file.ts";

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

/** Fields of a user that kubectl reads and the library does not. */
interface UserFields {
  readonly tokenFile?: string;
  readonly "as-groups"?: unknown;
  readonly "as-uid"?: unknown;
}

/** The fields of the current user as they stand in the document; none when it was put together from several. */
const fieldsOf = (source: KubeconfigSource, userName: string | undefined): UserFields => {
  if ("from" in source) return {};
  const document = readYamlValue("text" in source ? source.text : readFileSync(source.file, "utf8")) as {
    readonly users?: readonly { readonly name?: string; readonly user?: UserFields }[];
  } | null;
  return document?.users?.find(({ name }) => name === userName)?.user ?? {};
};

/**
 * Where the token is kept, when it is kept in a file: in the cluster, and where a kubeconfig says so. The library reads such a file at
 * most once a minute, whatever the server says, so it is taken from it.
 */
const takeTokenFile = (config: KubeConfig, source: KubeconfigSource): string | undefined => {
  const user = config.getCurrentUser();
  if (user === null) return undefined;
  const provided = (user.authProvider as { readonly config?: { readonly tokenFile?: string } } | undefined)?.config;
  const { tokenFile = provided?.tokenFile } = fieldsOf(source, user.name);
  if (tokenFile === undefined || (user.token ?? "") !== "") return undefined;
  config.users = config.users.map((other) => {
    if (other.name !== user.name) return other;
    const { authProvider: _, ...kept } = other;
    return kept;
  });
  return "file" in source ? resolve(dirname(source.file), tokenFile) : tokenFile;
};

/** No one is to act as another user by mistake. */
const refuseImpersonation = (config: KubeConfig, source: KubeconfigSource): void => {
  const user = config.getCurrentUser();
  const fields = fieldsOf(source, user?.name);
  if ((user?.impersonateUser ?? "") === "" && fields["as-groups"] === undefined && fields["as-uid"] === undefined) {
    return;
  }
  throw unusable(`user "${user?.name}" uses impersonation (as, as-groups or as-uid), which is not supported`);
};

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
      message: `user "${config.getCurrentUser()?.name}" of the kubeconfig: cannot obtain credentials`,
      cause,
    });
  }
  const header = (options.headers as Readonly<Record<string, string | undefined>>)["Authorization"];
  const basic = typeof options.auth === "string" ? `Basic ${toBase64(options.auth)}` : undefined;
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
  const context = config.getContextObject(config.getCurrentContext());
  if ((context?.user ?? "") !== "" && config.getCurrentUser() === null) {
    throw unusable(`context "${context?.name}" names user "${context?.user}", which is not in it`);
  }
  refuseImpersonation(config, source);
  const tokenFile = takeTokenFile(config, source);
  const namespace = context?.namespace;
  return {
    url: cluster.server,
    ...(namespace !== undefined && namespace !== "" && { namespace }),
    ...(cluster.proxyUrl !== undefined && { proxyUrl: cluster.proxyUrl }),
    credentials:
      tokenFile === undefined ? () => credentialsOf(config) : withTokenFile(() => credentialsOf(config), tokenFile),
  };
};
