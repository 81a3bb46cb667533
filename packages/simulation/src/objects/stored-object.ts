/** An object of an object store; plain JSON, part of an account's state. */
export interface StoredObject {
  readonly key: string;
  /** Base64. */
  readonly body: string;
  readonly size: number;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly modified: number;
}
