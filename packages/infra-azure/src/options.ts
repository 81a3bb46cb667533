/** How the provider works when an object does not say otherwise. */
export interface AzureProviderOptions {
  /** Where Azure Resource Manager is, in place of the address of `azureEnvironment`. A simulator's `url` goes here. */
  readonly endpoint?: string;
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
}
