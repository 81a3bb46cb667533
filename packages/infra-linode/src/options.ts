import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type DefaultCredentialsV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

const declared = {
  endpoint: {
    type: "text",
    otherwise: "$LINODE_URL, else https://api.linode.com",
    check: (value) => (URL.canParse(value) ? undefined : "must be a URL such as https://api.linode.com"),
    help: "URL of the Linode API",
  },
  apiVersion: {
    type: "text",
    otherwise: "$LINODE_API_VERSION, else v4beta",
    choices: ["v4", "v4beta"],
    help: "version of the Linode API; v4 lacks VPC addresses and Linode interfaces",
  },
  timeout: {
    type: "duration",
    otherwise: "$LINODE_CLIENT_TIMEOUT in seconds, else 30s",
    min: 1000,
    max: 3_600_000,
    help: "timeout of a request to the Linode API",
  },
  gzip: {
    type: "boolean",
    otherwise: "$GZIP_COMPRESSION_ENABLED, else false",
    help: "compress bootstrap data that would not fit",
  },
  bootstrapReport: {
    type: "boolean",
    otherwise: "false; true on a simulated Linode",
    help: "let machines without the annotation report the result of bootstrapping; needs the cluster's object store",
  },
  poll: {
    type: "duration",
    default: 5000,
    min: 1000,
    max: 300_000,
    help: "interval of listing instances while some are being created",
  },
  settledPoll: {
    type: "duration",
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    help: "interval of listing instances when all are ready",
  },
  driftPoll: {
    type: "duration",
    default: 600_000,
    min: 10_000,
    max: 86_400_000,
    help: "interval of comparing details that the list does not show with the spec",
  },
} as const satisfies OptionsV1;

/** Options of the provider, for where a Secret does not say otherwise. */
export interface LinodeProviderOptions extends Omit<OptionValuesV1<typeof declared>, "apiVersion"> {
  /** Default `v4beta`: VPC addresses and Linode interfaces are not in `v4`. */
  readonly apiVersion?: string;
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
  /** The HTTP proxy on the way to the API. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For addresses that Secrets of users name. Default: they may name any. */
  readonly guard?: AddressGuard;
  /** For objects without credentials of their own. Default: none, so every object must name a Secret; the command takes `LINODE_TOKEN`. */
  readonly token?: string;
  /** For objects of which namespaces `token`, and those of `dns` and `edgeDns`, are. Default: of all. */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** The same for the zone of an endpoint's name, where it is in another account or place. Default: as the rest. */
  readonly dns?: { readonly token?: string; readonly endpoint?: string; readonly ca?: string };
  /** The API client for zones at Akamai Edge DNS, for clusters whose Secret names none. `host` with or without `https://`. Default: none. */
  readonly edgeDns?: {
    readonly host: string;
    readonly accessToken: string;
    readonly clientToken: string;
    readonly clientSecret: string;
  };
  /** Machines and clusters reconciled at once. Default 50 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export const linodeDefaults = optionDefaults(declared);

/** The options as the command takes them. */
export const declaration = {
  of: "infra-linode",
  options: declared,
  codeOnly: {
    ca: "the command reads the file that LINODE_CA names",
    proxyFor: "the command reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
    guard: "the command has --allow-address",
    token: "a secret: the command reads LINODE_TOKEN",
    defaultCredentials: "the command has --default-credentials-namespaces and --credentials-folder",
    dns: "holds a secret: the command reads LINODE_DNS_TOKEN, LINODE_DNS_URL and LINODE_DNS_CA",
    edgeDns:
      "holds secrets: the command reads AKAMAI_HOST, AKAMAI_ACCESS_TOKEN, AKAMAI_CLIENT_TOKEN and AKAMAI_CLIENT_SECRET",
    machineConcurrency: "the command has --concurrency LinodeMachine=N",
    clusterConcurrency: "the command has --concurrency LinodeCluster=N",
    clock: "tests bring a clock of their own",
  } satisfies CodeOnlyV1<LinodeProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
