import { isIP } from "node:net";
import type { AddressGuard } from "@capstan/contract";
import type { CodeOnlyV1, OptionDeclarationV1, OptionsV1, OptionValuesV1 } from "@capstan/contract/v1";
import type { WorkerPolicy } from "./worker/identity.ts";

/** Where and how the services for machines are served. */
export interface TinkerbellServices {
  /** The IP address at which machines reach them. */
  readonly address: string;
  /** The address to listen at, where it is not that one. */
  readonly listen?: string;
  /** Port of scripts and metadata. Default 7080. */
  readonly httpPort?: number;
  /** Port of the agents' API. Default 42113. */
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
  /**
   * The folder with binaries of iPXE, which are served by TFTP and HTTP; Debian's package `ipxe` has them in `/usr/lib/ipxe`. Default: they
   * come from elsewhere.
   */
  readonly ipxeFolder?: string;
  /** Lines for the script in binaries of Tinkerbell. Default: none. */
  readonly ipxePatch?: string;
  /** The port of TFTP. Default 69. */
  readonly tftpPort?: number;
  /** Takes the logs that machines send while they install. Default false. */
  readonly syslog?: boolean;
  /** The port of those logs. Default 514. */
  readonly syslogPort?: number;
  /** The image of machines that boot from a CD and whose interface names none. */
  readonly isoUrl?: string;
  /** The text in images in the place of kernel arguments. Default: that of Tinkerbell's installation system. */
  readonly isoPlaceholder?: string;
  /** Tells systems that boot from a CD their address. Default false: they ask DHCP. */
  readonly isoIpam?: boolean;
  /** Serves DHCP as well. Default: another server sends machines here. */
  readonly dhcp?: DhcpServices;
}

/** Settings of the DHCP server. */
export interface DhcpServices {
  /**
   * `reservation`: machines with Hardware get their addresses here, and what to boot; `proxy`: another server gives addresses; `auto-proxy`: so,
   * and machines without Hardware start the installation system.
   */
  readonly mode: "reservation" | "proxy" | "auto-proxy";
  /** The address to listen at. Default: every one, as clients without an address broadcast. */
  readonly listen?: string;
  /** User classes of iPXE that are sent to the script at once; `iPXE` is that of usual builds. Default `Tinkerbell`. */
  readonly scriptClasses?: readonly string[];
  /** Ports, default 67, 68 and 67. */
  readonly port?: number;
  readonly clientPort?: number;
  readonly relayPort?: number;
  /** The port at which a proxy tells firmware what to boot. Default 4011. */
  readonly bootPort?: number;
}

/**
 * Parts of the provider that can run separately: the controllers of Workflows and of board management, scripts and metadata, the agents'
 * API, DHCP, TFTP, and the receiver of logs.
 */
export const tinkerbellParts = ["workflow", "bmc", "http", "grpc", "dhcp", "tftp", "syslog"] as const;
export type TinkerbellPart = (typeof tinkerbellParts)[number];

/** Options of the provider. */
export interface TinkerbellProviderOptions {
  /**
   * Parts that run. Default: all; `http` and `grpc` only with `services`, `dhcp` only with `services.dhcp`, `tftp` only with
   * `services.ipxeFolder`, `syslog` only with `services.syslog`.
   */
  readonly parts?: readonly TinkerbellPart[];
  /** Workflows reconciled at once. Default 10. */
  readonly concurrency?: number;
  /** Serves machines from this process. Default: only the controllers run. */
  readonly services?: TinkerbellServices;
  /** PEM certificates of board management to trust beside the public ones. */
  readonly ca?: string;
  /** For the hosts of board management and of images. Default: they may be anywhere. */
  readonly guard?: AddressGuard;
}

export const standardPorts = { http: 7080, grpc: 42_113, osie: 7173, tftp: 69, syslog: 514 } as const;

const address = (value: string): string | undefined =>
  isIP(value) === 0 ? "must be an IP address such as 10.0.0.5" : undefined;

const url = (value: string): string | undefined =>
  /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? undefined : "must be a URL such as http://10.0.0.5:7173";

const declared = {
  parts: {
    type: "list",
    choices: tinkerbellParts,
    otherwise: "all that other options ask for",
    help: "what runs: controllers of Workflows and of board management, scripts and metadata, the API of agents, DHCP, TFTP, logs",
  },
  address: {
    type: "text",
    otherwise: "$TINKERBELL_ADDRESS, else machines are not served",
    check: address,
    help: "IP address at which machines reach the services of this process",
  },
  listen: { type: "text", otherwise: "address", check: address, help: "IP address to listen at" },
  httpPort: { type: "number", default: standardPorts.http, min: 1, max: 65_535, help: "port of scripts and metadata" },
  grpcPort: { type: "number", default: standardPorts.grpc, min: 1, max: 65_535, help: "port of the API of agents" },
  workerPolicy: {
    type: "text",
    choices: ["ip", "mtls", "off"],
    default: "ip",
    help: "how agents are recognised: by the address of a Hardware, by a client certificate, or not at all",
  },
  grpcCertFile: { type: "text", otherwise: "no TLS", help: "PEM certificate chain of the API of agents" },
  grpcKeyFile: { type: "text", otherwise: "no TLS", help: "PEM key of that certificate" },
  grpcClientCaFile: {
    type: "text",
    otherwise: "none",
    help: "PEM certificates of the authority that signs certificates of agents",
  },
  trustedProxies: {
    type: "list",
    otherwise: "none",
    help: "networks of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8",
  },
  instanceIdRoute: {
    type: "boolean",
    default: false,
    help: "serve metadata by instance id too, to whoever knows one",
  },
  osieUrl: {
    type: "text",
    otherwise: `port ${standardPorts.osie} of the address`,
    check: url,
    help: "URL of kernel and initrd of the installation system",
  },
  syslogHost: { type: "text", otherwise: "address", help: "host to which machines that install send their system log" },
  facility: { type: "text", default: "onprem", help: "kernel argument facility of machines that install" },
  kernelArgs: {
    type: "list",
    hasCommas: true,
    otherwise: "none",
    help: "kernel argument of machines that install",
  },
  ipxeFolder: {
    type: "text",
    otherwise: "binaries come from elsewhere",
    help: "folder with binaries of iPXE to serve by TFTP and HTTP; Debian's package ipxe has them in /usr/lib/ipxe",
  },
  ipxePatch: { type: "text", otherwise: "none", help: "lines for the script in binaries of Tinkerbell" },
  tftpPort: { type: "number", default: standardPorts.tftp, min: 1, max: 65_535, help: "port of TFTP" },
  syslog: { type: "boolean", default: false, help: "take the logs that machines send while they install" },
  syslogPort: { type: "number", default: standardPorts.syslog, min: 1, max: 65_535, help: "port of those logs" },
  isoUrl: {
    type: "text",
    otherwise: "none",
    check: url,
    help: "URL of the image of machines that boot from a CD and whose interface names none",
  },
  isoPlaceholder: {
    type: "text",
    otherwise: "that of Tinkerbell's installation system",
    help: "text in images in the place of kernel arguments",
  },
  isoIpam: { type: "boolean", default: false, help: "tell systems that boot from a CD their address" },
  dhcp: {
    type: "text",
    choices: ["reservation", "proxy", "auto-proxy"],
    otherwise: "DHCP is not served",
    help: "serve DHCP: addresses and what to boot, or what to boot next to another server, or that to machines without Hardware too",
  },
  dhcpListen: { type: "text", otherwise: "every address", check: address, help: "IP address to listen at for DHCP" },
  dhcpScriptClasses: {
    type: "list",
    otherwise: "Tinkerbell, and iPXE where the binaries of ipxeFolder have no script of Tinkerbell",
    help: "user classes of iPXE that are sent to the script at once",
  },
  dhcpPort: { type: "number", default: 67, min: 1, max: 65_535, help: "port of the DHCP server" },
  dhcpClientPort: { type: "number", default: 68, min: 1, max: 65_535, help: "port of DHCP clients" },
  dhcpBootPort: {
    type: "number",
    default: 4011,
    min: 1,
    max: 65_535,
    help: "port at which a DHCP proxy tells firmware what to boot",
  },
  dhcpRelayPort: { type: "number", default: 67, min: 1, max: 65_535, help: "port of DHCP relays" },
} as const satisfies OptionsV1;

/** Options given to the command. */
export type GivenTinkerbellOptions = OptionValuesV1<typeof declared>;

/** The options as the command takes them. */
export const declaration = {
  of: "tinkerbell",
  options: declared,
  codeOnly: {
    concurrency: "the command has --concurrency Workflow=N",
    services: "the options from address to dhcpRelayPort",
    ca: "the command reads NODE_EXTRA_CA_CERTS",
    guard: "the command has --allow-address",
  } satisfies CodeOnlyV1<TinkerbellProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
