import { BlockList, isIP, isIPv6 } from "node:net";
import { CapstanError, type ProxyFor } from "@capstan/contract";

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a request goes to: `host` in lower case and without brackets, `port` always given. */
interface Target {
  readonly host: string;
  readonly port: string;
}

type Exception = (target: Target) => boolean;

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

const invalid = (variable: string): CapstanError =>
  new CapstanError({
    code: "runtime.proxy_invalid",
    reason: "ProxyInvalid",
    message: `${variable} does not name an HTTP proxy; write for example http://proxy.example:3128`,
    retry: { kind: "never" },
  });

/** The named variable, else the same in lower case; empty is as good as absent. */
const read = (variables: Variables, name: string): string | undefined =>
  variables[name] || variables[name.toLowerCase()] || undefined;

const proxyOf = (variables: Variables, name: string): string | undefined => {
  const given = read(variables, name)?.trim();
  if (given === undefined) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) throw invalid(name);
  return url.href;
};

const networkException = (network: string, prefix: number): Exception => {
  const list = new BlockList();
  list.addSubnet(network, prefix, familyOf(network));
  return ({ host }) => isIP(host) !== 0 && list.check(host, familyOf(host));
};

/** One part of NO_PROXY. What makes no sense excepts nothing, as in Go. */
const exceptionOf = (part: string): Exception => {
  if (part === "*") return () => true;
  const [, network = "", prefix = ""] = /^(.+)\/(\d+)$/.exec(part) ?? [];
  const longest = isIPv6(network) ? 128 : 32;
  if (isIP(network) !== 0) return Number(prefix) <= longest ? networkException(network, Number(prefix)) : () => false;
  const [, name = part, port] = isIPv6(part) ? [] : (/^(.*):(\d+)$/.exec(part) ?? []);
  const isPort = (target: Target): boolean => port === undefined || port === target.port;
  const host = withoutBrackets(name);
  if (isIP(host) !== 0) {
    const isAddress = networkException(host, isIPv6(host) ? 128 : 32);
    return (target) => isPort(target) && isAddress(target);
  }
  const suffix = `.${host.replace(/^\*?\./, "")}`;
  const isExact = !/^\*?\./.test(host);
  return (target) => isPort(target) && (target.host.endsWith(suffix) || (isExact && target.host === host));
};

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

const isLocal: Exception = ({ host }) =>
  host === "localhost" || (isIP(host) !== 0 && loopback.check(host, familyOf(host)));

/**
 * Proxies as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name them, in capitals or not, read as Go's clients do: the scheme of the address
 * chooses the variable; `NO_PROXY` lists domains (with those below them; with a dot in front only those), addresses and networks, each
 * but the last possibly with a port, or `*`; this host itself is never asked for through a proxy. Throws `runtime.proxy_invalid`.
 */
export const proxyFromEnvironment = (variables: Variables): ProxyFor => {
  const proxies: Readonly<Record<string, string | undefined>> = {
    "https:": proxyOf(variables, "HTTPS_PROXY"),
    "http:": proxyOf(variables, "HTTP_PROXY"),
  };
  const parts = (read(variables, "NO_PROXY") ?? "").toLowerCase().split(",");
  const exceptions = [
    isLocal,
    ...parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(exceptionOf),
  ];
  return (url) => {
    const { protocol, hostname, port } = new URL(url);
    const proxy = proxies[protocol];
    if (proxy === undefined) return undefined;
    const host = withoutBrackets(hostname).replace(/\.$/, "");
    const target = { host, port: port === "" ? (defaultPorts[protocol] ?? "") : port };
    return exceptions.some((isException) => isException(target)) ? undefined : proxy;
  };
};
