import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@capstan/contract";
import { ObjectFiles } from "./object-files.ts";
import { defaultMaxObjectBytes, standardBucket, type LocalObjectStoreOptions } from "./options.ts";
import { isBucketName } from "./settings.ts";
import { signingKeyOf } from "./signing-key.ts";
import { removeAbandoned } from "./write-synced.ts";

/** Folder shared by a store and its server, with its signing key and the address of the URLs. */
export class LocalFolder {
  readonly clock: Clock;
  readonly maxObjectBytes: number;
  readonly #folder: string;
  #signingKey: Promise<Uint8Array> | undefined;
  /** Without a slash at its end; `undefined` while no one can reach the server. */
  #address: string | undefined;

  constructor({ address, clock, folder, maxObjectBytes = defaultMaxObjectBytes }: LocalObjectStoreOptions) {
    this.clock = clock;
    this.maxObjectBytes = maxObjectBytes;
    this.#folder = folder;
    this.#address = address?.replace(/\/+$/, "");
  }

  /** Makes what is missing, for its owner alone, and removes what writers left behind that were killed. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700);
    await this.bucket(standardBucket).prepare();
    await this.#tidy(this.clock.now());
    await this.signingKey();
  }

  async #tidy(now: number): Promise<void> {
    await removeAbandoned(this.#folder, now);
    const entries = await readdir(join(this.#folder, "buckets"), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory() && isBucketName(entry.name)) await this.bucket(entry.name).tidy(now);
    }
  }

  /** The name of a bucket is checked by who takes it from outside. */
  bucket(name: string): ObjectFiles {
    return new ObjectFiles(join(this.#folder, "buckets", name));
  }

  signingKey(): Promise<Uint8Array> {
    this.#signingKey ??= signingKeyOf(this.#folder).catch((error: unknown) => {
      this.#signingKey = undefined;
      throw error;
    });
    return this.#signingKey;
  }

  address(): string | undefined {
    return this.#address;
  }

  /** Where the server listens is where it is reached. */
  serveAt(address: string): void {
    this.#address = address;
  }
}
