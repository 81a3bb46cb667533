/** How the provider works. */
export interface BootstrapAcmeProviderOptions {
  /** How often it is asked for what another machine makes. Default 10 000. */
  readonly pollMs?: number;
}
