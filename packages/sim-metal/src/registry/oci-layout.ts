import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { osAnnotation } from "@capstan/infra-metal/elemental-agent";
import { type ArchivedFile, writeTar } from "./write-tar.ts";

/** The contents of a registry: blobs by digest, and what tags of repositories mean. */
export interface OciLayout {
  readonly blobs: ReadonlyMap<string, { readonly mediaType: string; readonly bytes: Uint8Array }>;
  /** Digests by `repository:tag`. */
  readonly tags: ReadonlyMap<string, string>;
}

/** Content of a bundle for one platform. */
export interface BundlePart {
  readonly architecture: string;
  /** Operating systems that it is for. Default: all. */
  readonly osIds?: readonly string[];
  readonly files: Readonly<Record<string, ArchivedFile>>;
}

/** A component bundle to be served. */
export interface BundleContents {
  readonly repository: string;
  readonly tag: string;
  readonly parts: readonly BundlePart[];
}

const indexType = "application/vnd.oci.image.index.v1+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const layerType = "application/vnd.oci.image.layer.v1.tar+gzip";
const emptyType = "application/vnd.oci.empty.v1+json";

interface Stored {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Makes layouts of bundles, as `oras push` and the like do. */
export class LayoutBuilder implements OciLayout {
  readonly blobs = new Map<string, { readonly mediaType: string; readonly bytes: Uint8Array }>();
  readonly tags = new Map<string, string>();

  /** Adds a bundle; answers with its digest. */
  add({ parts, repository, tag }: BundleContents): string {
    const manifests = parts.map(({ architecture, files, osIds }) => ({
      ...this.#manifest(files),
      platform: { os: "linux", architecture },
      ...(osIds !== undefined && { annotations: { [osAnnotation]: osIds.join(",") } }),
    }));
    const { digest } = this.put(indexType, { schemaVersion: 2, mediaType: indexType, manifests });
    this.tags.set(`${repository}:${tag}`, digest);
    return digest;
  }

  /** Adds a manifest without an index around it. */
  addManifest(
    place: { readonly repository: string; readonly tag: string },
    layers: readonly (Stored & { readonly annotations?: Readonly<Record<string, string>> })[],
  ): string {
    const { digest } = this.put(manifestType, this.#body(layers));
    this.tags.set(`${place.repository}:${place.tag}`, digest);
    return digest;
  }

  put(mediaType: string, content: object | Uint8Array): Stored {
    const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    this.blobs.set(digest, { mediaType, bytes });
    return { mediaType, digest, size: bytes.length };
  }

  #manifest(files: BundlePart["files"]): Stored {
    return this.put(manifestType, this.#body([this.put(layerType, gzipSync(writeTar(files), { level: 9 }))]));
  }

  #body(layers: readonly Stored[]): object {
    return { schemaVersion: 2, mediaType: manifestType, config: this.put(emptyType, Buffer.from("{}")), layers };
  }
}
