import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { bundleError } from "./bundle-errors.ts";
import { digestOf, isDigest } from "./digest.ts";
import { type Descriptor, readDocument } from "./documents.ts";
import type { BundleSource } from "./registry-client.ts";

/** A blob or manifest as manifests name it. */
export interface StoredBlob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const indexType = "application/vnd.oci.image.index.v1+json";
const refName = "org.opencontainers.image.ref.name";
const layoutFile = { imageLayoutVersion: "1.0.0" };

/** An OCI image layout in a folder, with one bundle and its signatures. */
export class LayoutFolder implements BundleSource {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes an empty layout. */
  static async make(folder: string): Promise<LayoutFolder> {
    await mkdir(join(folder, "blobs", "sha256"), { recursive: true });
    await writeFile(join(folder, "oci-layout"), JSON.stringify(layoutFile));
    return new LayoutFolder(folder);
  }

  /** The digest of the bundle: that of the one entry of `index.json` that is not a signature. Throws `elemental.bundle_*`. */
  async bundle(): Promise<string> {
    const bundles = (await this.#entries()).filter(
      ({ annotations }) => annotations[refName]?.endsWith(".sig") !== true,
    );
    const [first, ...more] = bundles;
    if (first !== undefined && more.length === 0) return first.digest;
    throw bundleError("layout_invalid", `${this.folder}/index.json has ${bundles.length} images; it must have one`);
  }

  /** Makes a manifest the one of a name. */
  async name(name: string, { digest, mediaType, size }: StoredBlob): Promise<void> {
    const others = (await this.#entries()).filter(({ annotations }) => annotations[refName] !== name);
    const manifests = [...others, { mediaType, digest, size, annotations: { [refName]: name } }];
    const path = join(this.folder, "index.json");
    await writeFile(`${path}.new`, JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }));
    await rename(`${path}.new`, path);
  }

  async document(reference: string): Promise<Uint8Array | undefined> {
    if (isDigest(reference)) return this.#read(reference);
    const entry = (await this.#entries()).find(({ annotations }) => annotations[refName] === reference);
    return entry === undefined ? undefined : this.#read(entry.digest);
  }

  async smallBlob(digest: string): Promise<Uint8Array> {
    const bytes = await this.#read(digest);
    if (bytes !== undefined) return bytes;
    throw bundleError(
      "layout_invalid",
      `${this.folder} has no blob ${digest}; copy all of the layout, or build it again`,
    );
  }

  async blob(
    digest: string,
    offset: number,
  ): Promise<{ readonly from: number; readonly body: AsyncIterable<Uint8Array> }> {
    await this.size(digest);
    return { from: offset, body: createReadStream(this.#path(digest), { start: offset }) };
  }

  /** Bytes of a blob. Throws `elemental.bundle_layout_invalid` when there is none. */
  async size(digest: string): Promise<number> {
    const stats = await stat(this.#path(digest)).catch(() => undefined);
    if (stats !== undefined) return stats.size;
    throw bundleError(
      "layout_invalid",
      `${this.folder} has no blob ${digest}; copy all of the layout, or build it again`,
    );
  }

  /** Adds a small blob, or a document as JSON. */
  async put(mediaType: string, content: Uint8Array | object): Promise<StoredBlob> {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
    const digest = digestOf(bytes);
    await writeFile(this.#path(digest), bytes);
    return { mediaType, digest, size: bytes.length };
  }

  /** Adds a blob of any size. */
  async putStream(mediaType: string, source: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const hash = createHash("sha256");
    let size = 0;
    const fresh = join(this.folder, "blobs", "sha256", "new");
    const measured = async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const part of parts) {
        hash.update(part);
        size += part.length;
        yield part;
      }
    };
    await pipeline(source, measured, createWriteStream(fresh));
    const digest = `sha256:${hash.digest("hex")}`;
    await rename(fresh, this.#path(digest));
    return { mediaType, digest, size };
  }

  #path(digest: string): string {
    return join(this.folder, "blobs", "sha256", digest.replace("sha256:", ""));
  }

  async #read(digest: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.#path(digest)).catch(() => undefined);
    if (bytes === undefined || digestOf(bytes) === digest) return bytes;
    throw bundleError("layout_invalid", `the blob ${digest} of ${this.folder} was changed; build the layout again`);
  }

  async #entries(): Promise<readonly Descriptor[]> {
    const bytes = await readFile(join(this.folder, "index.json")).catch(() => undefined);
    if (bytes === undefined) return [];
    const document = readDocument(bytes);
    return document.kind === "index" ? document.manifests : [];
  }
}

/** Opens a layout. Throws `elemental.bundle_layout_invalid` when the folder is none. */
export const openLayout = async (folder: string): Promise<LayoutFolder> => {
  const text = await readFile(join(folder, "oci-layout"), "utf8").catch(() => "");
  const isLayout = /"imageLayoutVersion"\s*:\s*"1\./.test(text);
  if (isLayout) return new LayoutFolder(folder);
  throw bundleError("layout_invalid", `${folder} is no OCI layout; make one with capstan bundle build`);
};
