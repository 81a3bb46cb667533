/** Options of the Elemental part of the provider. */
export interface ElementalOptions {
  /** Host, and port unless it is the protocol's, by which hosts reach the Elemental API. Without it the API is not served. */
  readonly endpoint?: string;
  /** Default `https`. */
  readonly protocol?: "http" | "https";
  /** True if this process speaks TLS; otherwise something before it does. Default: as `protocol` says. */
  readonly tls?: boolean;
  /** Where the API listens. Default: port 9090 of every address. */
  readonly listen?: { readonly host?: string; readonly port: number };
  /** PEM files of the API's certificate, as cert-manager mounts them. Default: a certificate of its own, kept in `certificateSecret`. */
  readonly certificateFiles?: { readonly certificate: string; readonly key: string };
  /** PEM of the authority of `certificateFiles`, for registrations; without it hosts have to trust it by themselves. */
  readonly authority?: string;
  /** Default `kube-system/capstan-elemental-api`. */
  readonly certificateSecret?: { readonly namespace: string; readonly name: string };
  /** Where the agents' configuration of each registration is put, for a server that makes boot media of it. Default: nowhere. */
  readonly bootMedia?: { readonly url: string };
  /** PEM of authorities to trust at registries with component bundles, beside the public ones. */
  readonly registryAuthority?: string;
  /** Maximum number of hosts of a registration without `spec.hostLimit`; 0: any number, as upstream has it. Default 256. */
  readonly hostLimit?: number;
  /**
   * Milliseconds that the tokens of registrations are valid that have no `tokenDuration`, and are signed again when half of that is over;
   * 0: forever, as upstream has it. Default 168 hours.
   */
  readonly tokenDurationMs?: number;
  /** Folder in which component bundles that are served are kept. Default: a temporary one. */
  readonly bundleFolder?: string;
}

/** Reads a variable of the environment. */
export type Variable = (name: string) => string | undefined;
