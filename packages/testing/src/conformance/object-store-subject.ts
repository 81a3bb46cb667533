import type { ObjectStore } from "@capstan/contract/v1";

/** A backend in front of a real server program, and the disturbances its test can arrange. */
export interface ObjectStoreSubject {
  /** A store that works, over a bucket that is there. */
  open(): Promise<ObjectStore>;
  /** Texts that no error may show: keys, tokens. */
  readonly secrets: readonly string[];
  /** The query parameter of a signed URL that says when it expires. */
  readonly expiryParameter: string;
  /** The same store, seen by a client whose clock is off by so much. */
  openWithClockOffset?(offsetMs: number): Promise<ObjectStore>;
  /** A bucket that does not exist. */
  openMissingBucket?(): Promise<ObjectStore>;
  openWithWrongCredentials?(): Promise<ObjectStore>;
  /** May write and delete, but not look. */
  openWithoutHead?(): Promise<ObjectStore>;
  /** No one listens at the address. */
  openUnreachable?(): Promise<ObjectStore>;
  /** Accepts connections and never answers. `hurry` makes the store's own patience run out. */
  openHanging?(): Promise<{ readonly store: ObjectStore; hurry(): Promise<void> }>;
  /** Answers 503 so many times, then works. */
  openFailingFirst?(times: number): Promise<ObjectStore>;
  /** Returns the number of versions of an object that the server still keeps, for a bucket that keeps them. */
  versionsLeft?(key: string): Promise<number>;
  /** Names of cases that this backend cannot pass or its test cannot arrange, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}
