import type { AddressGuard } from "@capstan/contract";
import type { WorkerPolicy } from "./worker/identity.ts";

/** Where and how the services for machines are served. */
export interface TinkerbellServices {
  /** The IP address at which machines reach them. */
  readonly address: string;
  /** The address to listen at, where it is not that one. */
  readonly listen?: string;
  /** Of scripts and metadata. Default 7080. */
  readonly httpPort?: number;
  /** Of the agents' API. Default 42113. */
  readonly grpcPort?: number;
  /**
   * By what the agents' API knows who calls: `ip`, by the address of a Hardware; `mtls`, by the names in a certificate of `clientCa`; `off`
   * believes everybody. What is another's is not found. Default `ip`.
   */
  readonly workerPolicy?: WorkerPolicy;
  /** PEM, to serve the agents' API with TLS; `clientCa` signs the certificates of agents. Default: without TLS. */
  readonly grpcTls?: { readonly certificate: string; readonly key: string; readonly clientCa?: string };
  /** Ranges of proxies whose X-Forwarded-For is believed, for example `10.0.0.0/8`. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Serves metadata also by instance id, to whoever knows one. Default false. */
  readonly instanceIdRoute?: boolean;
  /** Where kernel and initrd of the installation system are. Default: port 7173 of the address. */
  readonly osieUrl?: string;
  /** Where machines that install send their system log. Default: the address. */
  readonly syslogHost?: string;
  /** The kernel argument `facility`. Default `onprem`. */
  readonly facility?: string;
  /** Kernel arguments of every machine that installs. Default: none. */
  readonly kernelArgs?: readonly string[];
  /** Serves DHCP as well. Default: another server sends machines here. */
  readonly dhcp?: DhcpServices;
}

/** How DHCP is served. */
export interface DhcpServices {
  /** `reservation`: machines with Hardware get their addresses here, and what to boot; `proxy`: another server gives addresses. */
  readonly mode: "reservation" | "proxy";
  /** The address to listen at. Default: every one, as clients without an address broadcast. */
  readonly listen?: string;
  /** User classes of iPXE that are sent to the script at once; `iPXE` is that of usual builds. Default `Tinkerbell`. */
  readonly scriptClasses?: readonly string[];
  /** Ports, default 67, 68 and 67. */
  readonly port?: number;
  readonly clientPort?: number;
  readonly relayPort?: number;
}

/** What may run apart from the rest: the controllers of Workflows and of board management, scripts and metadata, the agents' API, DHCP. */
export const tinkerbellParts = ["workflow", "bmc", "http", "grpc", "dhcp"] as const;
export type TinkerbellPart = (typeof tinkerbellParts)[number];

/** How the provider works. */
export interface TinkerbellProviderOptions {
  /** What of it runs. Default: everything; `http` and `grpc` only with `services`, `dhcp` only with `services.dhcp`. */
  readonly parts?: readonly TinkerbellPart[];
  /** Workflows reconciled at once. Default 10. */
  readonly concurrency?: number;
  /** Serves machines from this process. Default: only the controllers run. */
  readonly services?: TinkerbellServices;
  /** PEM certificates of board management to trust beside the public ones. */
  readonly ca?: string;
  /** For the hosts of board management. Default: they may be anywhere. */
  readonly guard?: AddressGuard;
}

export const standardPorts = { http: 7080, grpc: 42_113, osie: 7173 } as const;
