import { type CodeOnlyV1, type OptionDeclarationV1, type OptionsV1, type OptionValuesV1 } from "@capstan/contract/v1";
import type { ElementalOptions } from "./elemental/options.ts";

const declared = {
  metadataUrl: {
    type: "text",
    otherwise: "$TINKERBELL_METADATA_URL, else port 7080 of $TINKERBELL_ADDRESS, else only templates of users say it",
    check: (value) => (URL.canParse(value) ? undefined : "must be a URL such as http://10.0.0.5:7080"),
    help: "URL at which systems that were just installed find their metadata",
  },
  powerOffNamespace: {
    type: "text",
    otherwise: "$TINKERBELL_POWER_OFF_NAMESPACE, else kube-system",
    help: "namespace of the Jobs that switch machines off whose namespaces are being deleted",
  },
  sharedNamespaces: {
    type: "list",
    otherwise: "$TINKERBELL_SHARED_NAMESPACES, else none",
    help: "namespaces whose Hardware machines of other namespaces may take; * stands for all",
  },
  userDataIn: {
    type: "text",
    choices: ["secret", "hardware"],
    otherwise: "$TINKERBELL_USER_DATA_IN, else secret",
    help: "object that holds bootstrap data for the metadata service: a Secret, or Hardware for other metadata services",
  },
  elementalEndpoint: {
    type: "text",
    otherwise: "$ELEMENTAL_API_ENDPOINT, else the Elemental API is not served",
    help: "host, and port unless it is that of the protocol, by which hosts reach the Elemental API",
  },
  elementalProtocol: {
    type: "text",
    choices: ["http", "https"],
    otherwise: "$ELEMENTAL_API_PROTOCOL, else https",
    help: "protocol by which hosts reach the Elemental API",
  },
  elementalTls: {
    type: "boolean",
    otherwise: "$ELEMENTAL_API_ENABLE_TLS, else as elementalProtocol says",
    help: "serve the Elemental API with TLS; otherwise a proxy before it does",
  },
  elementalListen: {
    type: "text",
    otherwise: "$ELEMENTAL_API_LISTEN, else :9090",
    check: (value) => (/^.*:\d{1,5}$/.test(value) ? undefined : "must be HOST:PORT or :PORT"),
    help: "address that the Elemental API listens at",
  },
  elementalCertFile: {
    type: "text",
    otherwise: "$ELEMENTAL_API_TLS_CERTIFICATE, else a certificate that the provider makes and keeps",
    help: "PEM certificate chain of the Elemental API",
  },
  elementalKeyFile: { type: "text", otherwise: "$ELEMENTAL_API_TLS_PRIVATE_KEY", help: "PEM key of that certificate" },
  elementalCaFile: {
    type: "text",
    otherwise: "$ELEMENTAL_API_TLS_CA",
    help: "PEM certificate of the authority of that certificate, for registrations",
  },
  elementalShareCa: {
    type: "boolean",
    otherwise: "$ELEMENTAL_ENABLE_DEFAULT_CA, else true",
    help: "put that authority into registrations that name none",
  },
  elementalBootMediaUrl: {
    type: "text",
    otherwise: "$ELEMENTAL_BOOT_MEDIA_URL, else nowhere",
    help: "URL to which the configuration of each registration is put, for a server that makes boot media",
  },
  elementalRegistryCaFile: {
    type: "text",
    otherwise: "$ELEMENTAL_REGISTRY_CA, else the public authorities alone",
    help: "PEM certificates to trust at registries with component bundles",
  },
  elementalBundleFolder: {
    type: "text",
    otherwise: "$ELEMENTAL_BUNDLE_FOLDER, else a temporary folder",
    help: "folder in which component bundles are kept",
  },
  elementalHostLimit: {
    type: "number",
    otherwise: "$ELEMENTAL_HOST_LIMIT, else 256",
    help: "how many hosts register by a registration without spec.hostLimit; 0 is for no limit",
  },
  elementalTokenDuration: {
    type: "duration",
    min: 0,
    otherwise: "$ELEMENTAL_TOKEN_DURATION, else 168h",
    help: "how long tokens of registrations are valid that have no tokenDuration; 0 is for ever",
  },
} as const satisfies OptionsV1;

/** Values of the options that the command was given. */
export type GivenMetalOptions = OptionValuesV1<typeof declared>;

/** Options of the provider. */
export interface MetalProviderOptions {
  /** Where systems that were just installed find their metadata, for example `http://10.0.0.5:7080`. Default: only templates of users' own say. */
  readonly metadataUrl?: string;
  /**
   * Where Jobs of board management are made that switch machines off whose namespaces are being deleted: a namespace that stays, and that
   * Tinkerbell's board management controller watches. Default `kube-system`.
   */
  readonly powerOffNamespace?: string;
  /**
   * Namespaces whose Hardware machines of other namespaces may take, beside those whose Namespace has the label `capstan.dev/hardware=shared`;
   * `*` stands for all, as upstream has it. Default: none.
   */
  readonly sharedNamespaces?: readonly string[];
  /**
   * The object that holds bootstrap data until the machine has used it: a `secret` in the machine's namespace, for our metadata service; or
   * `spec.userData` of the `hardware`, for others, which exposes the cluster's keys to all who read Hardware. Default `secret`.
   */
  readonly userDataIn?: "secret" | "hardware";
  /** Machines and clusters reconciled at once. Default 20 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Options for hosts that register through their own agents. Default: the Elemental API is not served. */
  readonly elemental?: ElementalOptions;
}

/** The options as the command takes them. */
export const declaration = {
  of: "infra-metal",
  options: declared,
  codeOnly: {
    machineConcurrency: "the command has --concurrency TinkerbellMachine=N",
    clusterConcurrency: "the command has --concurrency TinkerbellCluster=N",
    elemental: "the options that begin with elemental",
  } satisfies CodeOnlyV1<MetalProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
