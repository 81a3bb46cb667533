import type { HttpAnswer } from "../http/service.ts";
import type { Access } from "./access.ts";
import type { BlobTarget } from "./blob-request.ts";
import type { StorageAccount } from "./storage-account.ts";

/** An authenticated request. */
export interface BlobCall {
  readonly method: string;
  readonly target: BlobTarget;
  readonly account: StorageAccount;
  readonly access: Access;
  readonly parameters: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** URL of the Blob service, with the account. */
  readonly accountUrl: string;
  readonly now: number;
}

/** An answer; what is left out is empty. */
export type BlobAnswer = Pick<HttpAnswer, "status"> & Partial<HttpAnswer>;
