import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Readable } from "node:stream";
import type { Requests } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { describeBundle, wrongDigest, type BundleDescription } from "./describe-bundle.ts";
import { readDocument, type Descriptor } from "./documents.ts";
import { imageReference } from "./image-reference.ts";
import { registrySource } from "./registry-client.ts";

/** So many descriptions are kept, the newest. */
const maxDescriptions = 64;
const defaultMaxBytes = 16 * 2 ** 30;

export interface BundleStoreOptions {
  readonly requests: Requests;
  /** Where archives are kept. Default: a temporary folder that goes with the process. */
  readonly folder?: string | undefined;
  /** Maximum bytes of all kept archives together. Default 16 GiB. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
}

/** A part of an archive that is kept. */
export interface KeptArchive {
  readonly size: number;
  /** From `start` to `end`, which is inside. */
  read(start: number, end: number): Readable;
}

/** Component bundles as the management side sees them: described, and kept by digest for hosts that cannot reach the registry. */
export class BundleStore {
  readonly #options: BundleStoreOptions;
  readonly #descriptions = new Map<string, Promise<BundleDescription>>();
  readonly #fetching = new Map<string, Promise<string>>();
  #folder: Promise<string> | undefined;

  constructor(options: BundleStoreOptions) {
    this.#options = options;
  }

  /** Everything about a bundle but its archives. Throws `elemental.bundle_*`, `elemental.unreachable`. */
  describe(image: string, digest: string): Promise<BundleDescription> {
    const key = `${image}@${digest}`;
    const known = this.#descriptions.get(key);
    if (known !== undefined) return known;
    const source = registrySource(imageReference(image), this.#options);
    const described = describeBundle(source, digest);
    this.#descriptions.set(key, described);
    // A failure is no one's description.
    described.catch(() => this.#descriptions.delete(key));
    const [oldest] = this.#descriptions.keys();
    if (this.#descriptions.size > maxDescriptions && oldest !== undefined) this.#descriptions.delete(oldest);
    return described;
  }

  /** An archive of a bundle, fetched when it is not there yet. Throws as `describe`; `undefined`: the bundle has no such archive. */
  async archive(image: string, digest: string, archive: string): Promise<KeptArchive | undefined> {
    const layer = archiveIn(await this.describe(image, digest), archive);
    if (layer === undefined) return undefined;
    const path = await this.#kept(image, layer);
    return { size: layer.size, read: (start, end) => createReadStream(path, { start, end }) };
  }

  /** Removes what goes with the process. */
  async close(): Promise<void> {
    if (this.#options.folder === undefined && this.#folder !== undefined) {
      await rm(await this.#folder, { recursive: true, force: true });
    }
  }

  #where(): Promise<string> {
    const { folder } = this.#options;
    this.#folder ??=
      folder === undefined
        ? mkdtemp(join(tmpdir(), "capstan-bundles-"))
        : mkdir(folder, { recursive: true, mode: 0o700 }).then(() => folder);
    return this.#folder;
  }

  /** The file with an archive; several that ask at once wait for one download. */
  #kept(image: string, layer: Descriptor): Promise<string> {
    const under =
      this.#fetching.get(layer.digest) ?? this.#fetch(image, layer).finally(() => this.#fetching.delete(layer.digest));
    this.#fetching.set(layer.digest, under);
    return under;
  }

  async #fetch(image: string, layer: Descriptor): Promise<string> {
    const folder = await this.#where();
    const path = join(folder, layer.digest.replace("sha256:", ""));
    const present = await stat(path).catch(() => undefined);
    if (present?.size === layer.size) return path;
    const { requests, signal } = this.#options;
    const { body } = await registrySource(imageReference(image), { requests, signal }).blob(layer.digest, 0);
    const hash = createHash("sha256");
    const fresh = `${path}.new`;
    await pipeline(body, measured(hash, layer.size), createWriteStream(fresh, { mode: 0o600 }), { signal });
    const found = `sha256:${hash.digest("hex")}`;
    if (found !== layer.digest) {
      await rm(fresh, { force: true });
      throw wrongDigest("archive", layer.digest, found);
    }
    await rename(fresh, path);
    await this.#makeRoom(folder, path);
    return path;
  }

  /** The oldest go, until the rest is not too much. */
  async #makeRoom(folder: string, newest: string): Promise<void> {
    const { maxBytes = defaultMaxBytes } = this.#options;
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => ({
        path: join(folder, name),
        stats: await stat(join(folder, name)),
      })),
    );
    let bytes = files.reduce((sum, { stats }) => sum + stats.size, 0);
    for (const { path, stats } of files.toSorted((left, right) => left.stats.mtimeMs - right.stats.mtimeMs)) {
      if (bytes <= maxBytes) return;
      if (path === newest) continue;
      bytes -= stats.size;
      await rm(path, { force: true });
    }
  }
}

const measured = (hash: ReturnType<typeof createHash>, size: number) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = size;
    for await (const part of source) {
      left -= part.length;
      if (left < 0) throw bundleError("verification_failed", "its archive is larger than its manifest says");
      hash.update(part);
      yield part;
    }
  };

const archiveIn = ({ documents }: BundleDescription, digest: string): Descriptor | undefined =>
  [...documents.values()]
    .map(readDocument)
    .flatMap((document) => (document.kind === "manifest" ? document.layers : []))
    .find((layer) => layer.digest === digest);
