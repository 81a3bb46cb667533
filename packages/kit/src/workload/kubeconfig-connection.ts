import { type AddressGuard, CapstanError, type Clock, type ProxyFor, Secret } from "@capstan/contract";
import { connect, type Connection } from "@capstan/kube";
import type { parseKubeconfig } from "@capstan/pki";

type Kubeconfig = ReturnType<typeof parseKubeconfig>;
type ConnectOptions = Parameters<typeof connect>[0];

/** Users who write the kubeconfig may have anything answered: it has to fit into memory. */
const answerSizes = { answer: 16 * 1024 ** 2, list: 256 * 1024 ** 2 };

/**
 * A connection as the kubeconfig of a workload cluster describes it: with its token or client certificate, and no plug-ins, since others may
 * have written it. Throws `workload.kubeconfig_unusable`.
 */
export const kubeconfigConnection = (
  config: Kubeconfig,
  options: {
    /** The kubeconfig in messages. */
    readonly where: string;
    readonly clock: Clock;
    readonly limit?: ConnectOptions["limit"];
    /** The application's own proxy to a server. */
    readonly proxyFor: ProxyFor;
    /** Watches over where kubeconfigs lead. Default: anywhere. */
    readonly guard?: AddressGuard | undefined;
  },
): Connection => {
  if (config.token === undefined && (config.clientCertificate === undefined || config.clientKey === undefined)) {
    const message = `${options.where}: the kubeconfig must contain a token or a client certificate; plugins are not run`;
    throw new CapstanError({ code: "workload.kubeconfig_unusable", reason: "KubeconfigUnusable", message });
  }
  const proxyUrl = config.proxyUrl ?? options.proxyFor(config.server);
  const { clock, guard, limit } = options;
  guard?.check(config.server);
  // Where the application's own proxy is, and what it resolves, is the administrator's.
  const isOwnProxy = proxyUrl !== undefined && config.proxyUrl === undefined;
  return connect({
    clock,
    sizes: answerSizes,
    url: config.server,
    ...(limit !== undefined && { limit }),
    ...(guard !== undefined && !isOwnProxy && { guard }),
    ...(config.tlsServerName === undefined ? {} : { serverName: config.tlsServerName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(config.certificateAuthority === undefined ? {} : { ca: config.certificateAuthority }),
    ...(config.token === undefined ? {} : { token: new Secret(config.token) }),
    ...(config.clientCertificate === undefined ? {} : { clientCertificate: config.clientCertificate }),
    ...(config.clientKey === undefined ? {} : { clientKey: new Secret(config.clientKey) }),
  });
};
