import { isIP } from "node:net";
import { looksLikeJinja } from "@capstan/kit/bootstrap";
import { isDnsSubdomain } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";

type Found = readonly (readonly [field: string, value: unknown])[];

/**
 * Returns the values at a path, with `[]` for each member of a list. Runs before the schema check, so any type may be
 * there.
 */
const at = (value: unknown, path: string, field: string): Found => {
  if (path === "") return value === undefined ? [] : [[field, value]];
  const [, name = "", isList, rest = ""] = /^(\w+)(\[\])?\.?(.*)$/.exec(path) ?? [];
  const next = isJsonObject(value) ? value[name] : undefined;
  if (isList === undefined) return at(next, rest, `${field}.${name}`);
  return Array.isArray(next)
    ? next.flatMap((each: unknown, index) => at(each, rest, `${field}.${name}[${index}]`))
    : [];
};

const isToken = (text: string): boolean => /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(text);
const isGroup = (text: string): boolean => /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/.test(text);
const isAbsolute = (text: string): boolean => text.startsWith("/");
const isHostPort = (text: string): boolean => /^(?:\[[^[\]]+\]|[^:]+):\d+$/.test(text);
const isHttps = (text: string): boolean => /^https:\/\//i.test(text);
const isNodeName = (text: string): boolean => isDnsSubdomain(text.toLowerCase());
const isHost = (text: string): boolean => isIP(text) !== 0 || isDnsSubdomain(text.toLowerCase().replace(/^\*\./, ""));

/** Texts that kubeadm refuses: where they stand, which it takes, and what to write. */
const texts: readonly (readonly [paths: readonly string[], takes: (text: string) => boolean, mend: string])[] = [
  [
    ["joinConfiguration.discovery.bootstrapToken.token", "joinConfiguration.discovery.tlsBootstrapToken"],
    isToken,
    "a token is 6 and 16 characters of a-z and 0-9 separated by a dot, as in abcdef.0123456789abcdef",
  ],
  [["initConfiguration.bootstrapTokens[].groups[]"], isGroup, "groups must start with system:bootstrappers:"],
  [
    [
      "initConfiguration.localAPIEndpoint.advertiseAddress",
      "joinConfiguration.controlPlane.localAPIEndpoint.advertiseAddress",
    ],
    (text) => isIP(text) !== 0,
    "use an IP address",
  ],
  [["joinConfiguration.discovery.bootstrapToken.apiServerEndpoint"], isHostPort, "give host:port"],
  [["clusterConfiguration.etcd.external.endpoints[]"], isHttps, "use a URL that starts with https://"],
  [
    [
      "clusterConfiguration.certificatesDir",
      "clusterConfiguration.etcd.local.dataDir",
      "clusterConfiguration.etcd.external.caFile",
      "clusterConfiguration.etcd.external.certFile",
      "clusterConfiguration.etcd.external.keyFile",
      "joinConfiguration.caCertPath",
    ],
    isAbsolute,
    "use an absolute path",
  ],
  [
    ["joinConfiguration.discovery.file.kubeConfigPath"],
    (text) => isAbsolute(text) || isHttps(text),
    "use an absolute path, or a URL that starts with https://",
  ],
  [
    ["initConfiguration.nodeRegistration.name", "joinConfiguration.nodeRegistration.name"],
    isNodeName,
    "a Node name consists of letters, digits, dashes and dots",
  ],
  [
    [
      "clusterConfiguration.apiServer.certSANs[]",
      "clusterConfiguration.etcd.local.serverCertSANs[]",
      "clusterConfiguration.etcd.local.peerCertSANs[]",
    ],
    isHost,
    "use an IP address or a DNS name",
  ],
];

/** Values that a field refuses. */
const others: readonly (readonly [path: string, isRefused: (value: unknown) => boolean, mend: string])[] = [
  ["initConfiguration.bootstrapTokens[].expires", () => true, "not supported in a file; use ttlSeconds"],
  [
    "initConfiguration.bootstrapTokens[].usages",
    (usages) =>
      Array.isArray(usages) &&
      (!usages.includes("authentication") || usages.some((usage) => usage !== "authentication" && usage !== "signing")),
    "include authentication; signing is optional",
  ],
  [
    "initConfiguration.localAPIEndpoint.bindPort",
    (port) => typeof port === "number" && port > 65_535,
    "use a port up to 65535",
  ],
  [
    "joinConfiguration.controlPlane.localAPIEndpoint.bindPort",
    (port) => typeof port === "number" && port > 65_535,
    "use a port up to 65535",
  ],
  [
    "joinConfiguration.discovery",
    (discovery) => isJsonObject(discovery) && "bootstrapToken" in discovery && "file" in discovery,
    "set bootstrapToken or file",
  ],
];

/** Where kubeadm will refuse the configuration on the machine. What comes from Jinja is not known yet. */
export const kubeadmWarnings = (spec: Readonly<Record<string, unknown>>, path: string): readonly string[] => [
  ...texts.flatMap(([paths, takes, mend]) =>
    paths
      .flatMap((each) => at(spec, each, path))
      .flatMap(([field, value]) =>
        typeof value === "string" && !looksLikeJinja(value) && !takes(value)
          ? [`${field}: kubeadm rejects it; ${mend}`]
          : [],
      ),
  ),
  ...others.flatMap(([each, isRefused, mend]) =>
    at(spec, each, path).flatMap(([field, value]) =>
      isRefused(value) ? [`${field}: kubeadm rejects it; ${mend}`] : [],
    ),
  ),
];
