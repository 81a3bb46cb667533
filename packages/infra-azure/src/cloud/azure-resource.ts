/** A resource as Azure tells it, with all that is not known here. */
export interface AzureResource {
  readonly id: string;
  readonly name?: string;
  readonly location?: string;
  readonly etag?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly zones?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}
