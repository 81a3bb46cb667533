import { presentFields, toBase64, fromBase64 } from "@capstan/kube-values";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { stringify } from "yaml";
import { PkiErrorCode, unusable } from "./errors.ts";

/** One cluster with one user. PEM texts and the token are plain here and base64 in the document where the format says so. */
export interface Kubeconfig {
  /** For example `https://203.0.113.40:6443`. */
  readonly server: string;
  /** PEM. Absent: the system's authorities are trusted. */
  readonly certificateAuthority?: string;
  /** Name that the server's certificate is for, when it is not the host of the address. */
  readonly tlsServerName?: string;
  /** The proxy on the way to the server, as it is written. */
  readonly proxyUrl?: string;
  readonly clusterName: string;
  readonly userName: string;
  /** Default `<user>@<cluster>`. */
  readonly contextName?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  /** Namespace of the context. */
  readonly namespace?: string;
}

/** The document `kubectl` reads. */
export const renderKubeconfig = (config: Kubeconfig): string => {
  const contextName = config.contextName ?? `${config.userName}@${config.clusterName}`;
  return stringify(
    {
      apiVersion: "v1",
      clusters: [
        {
          cluster: {
            ...(config.certificateAuthority === undefined
              ? {}
              : { "certificate-authority-data": toBase64(config.certificateAuthority) }),
            server: config.server,
            ...(config.tlsServerName === undefined ? {} : { "tls-server-name": config.tlsServerName }),
            ...(config.proxyUrl === undefined ? {} : { "proxy-url": config.proxyUrl }),
          },
          name: config.clusterName,
        },
      ],
      contexts: [
        {
          context: {
            cluster: config.clusterName,
            ...(config.namespace === undefined ? {} : { namespace: config.namespace }),
            user: config.userName,
          },
          name: contextName,
        },
      ],
      "current-context": contextName,
      kind: "Config",
      preferences: {},
      users: [
        {
          name: config.userName,
          user: {
            ...(config.clientCertificate === undefined
              ? {}
              : { "client-certificate-data": toBase64(config.clientCertificate) }),
            ...(config.clientKey === undefined ? {} : { "client-key-data": toBase64(config.clientKey) }),
            ...(config.token === undefined ? {} : { token: config.token }),
          },
        },
      ],
    },
    { lineWidth: 0 },
  );
};

type Fields = Readonly<Record<string, unknown>>;

const record = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const decoded = (value: unknown): string | undefined => {
  const encoded = text(value);
  return encoded === undefined ? undefined : fromBase64(encoded);
};

const namedEntry = (document: Fields, list: string, entry: string, name: string | undefined): Fields => {
  const entries = Array.isArray(document[list]) ? (document[list] as unknown[]).map(record) : [];
  const found = entries.find((candidate) => candidate["name"] === name);
  if (found === undefined) {
    throw unusable(PkiErrorCode.badKubeconfig, `The kubeconfig has no entry "${name ?? ""}" in ${list}`);
  }
  return record(found[entry]);
};

/**
 * Fields that refer to something outside the document, or change how it is used: leaving them out would make an access
 * that fails for no visible reason.
 */
const unsupported: readonly (readonly ["cluster" | "user", string])[] = [
  ["cluster", "certificate-authority"],
  ["cluster", "insecure-skip-tls-verify"],
  ["user", "as"],
  ["user", "auth-provider"],
  ["user", "client-certificate"],
  ["user", "client-key"],
  ["user", "exec"],
  ["user", "tokenFile"],
  ["user", "username"],
];

const refuseUnsupported = (parts: { readonly cluster: Fields; readonly user: Fields }): void => {
  const found = unsupported.find(([part, field]) => {
    const value = parts[part][field];
    // The data beside a file wins, as it does for kubectl.
    return (
      value !== undefined &&
      value !== null &&
      value !== false &&
      value !== "" &&
      parts[part][`${field}-data`] === undefined
    );
  });
  if (found === undefined) return;
  const [part, field] = found;
  const message = `The ${part} of the kubeconfig has ${field}, which cannot be followed here: put addresses, certificates, keys or a token into the document itself`;
  throw unusable(PkiErrorCode.badKubeconfig, message);
};

/**
 * Reads the current context of a kubeconfig that carries its credentials inline (no files, no exec plug-in).
 * Throws `pki.bad_kubeconfig`, also for what cannot be followed without leaving the document.
 */
export const parseKubeconfig = (document: string): Kubeconfig => {
  let parsed: Fields;
  try {
    parsed = record(readYamlValue(document));
  } catch (error) {
    throw unusable(PkiErrorCode.badKubeconfig, "The kubeconfig is not a YAML document", error);
  }
  const contextName = text(parsed["current-context"]);
  const context = namedEntry(parsed, "contexts", "context", contextName);
  const clusterName = text(context["cluster"]);
  const userName = text(context["user"]);
  const cluster = namedEntry(parsed, "clusters", "cluster", clusterName);
  const user = namedEntry(parsed, "users", "user", userName);
  const server = text(cluster["server"]);
  if (server === undefined) {
    throw unusable(PkiErrorCode.badKubeconfig, `Cluster "${clusterName ?? ""}" of the kubeconfig has no server`);
  }
  refuseUnsupported({ cluster, user });
  return presentFields<Kubeconfig & Fields>({
    server,
    certificateAuthority: decoded(cluster["certificate-authority-data"]),
    tlsServerName: text(cluster["tls-server-name"]),
    proxyUrl: text(cluster["proxy-url"]),
    clusterName: clusterName ?? "",
    userName: userName ?? "",
    contextName,
    clientCertificate: decoded(user["client-certificate-data"]),
    clientKey: decoded(user["client-key-data"]),
    token: text(user["token"]),
    namespace: text(context["namespace"]),
  });
};
