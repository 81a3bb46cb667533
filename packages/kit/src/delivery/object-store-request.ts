/** The object store that a machine's cluster names for large bootstrap data. */
export interface ObjectStoreRequest {
  /** Secret with the credentials; without a namespace in that of the machine. */
  readonly credentialsRef: { readonly namespace?: string; readonly name: string };
  /** Tried when the first store fails. */
  readonly secondaryCredentialsRef?: { readonly namespace?: string; readonly name: string };
  /** Seconds the pointer stays valid. Default 900. */
  readonly expiresInSeconds?: number;
  /** Type of store that Secrets without the key `type` are for. Default: the application's. */
  readonly defaultType?: string;
}
