import type { StoredObject } from "../objects/stored-object.ts";

/** A storage account; plain JSON, part of a simulator's state. */
export interface StorageAccount {
  /** 3 to 24 lower-case letters and digits. */
  readonly name: string;
  /** Base64. Each of them gives access to everything. */
  readonly keys: readonly string[];
  /** The blobs of each container, which are changed in place. */
  readonly containers: Record<string, StoredObject[]>;
}

/** Use of blobs or containers, or of a key for signing in an identity's name. */
export type BlobUse = "read" | "write" | "delete" | "list" | "manage" | "delegate";

/** Who presents an access token. */
export interface BlobIdentity {
  readonly objectId: string;
  readonly tenantId: string;
  /** By the roles of the identity at the account. */
  allows(use: BlobUse): boolean;
}
