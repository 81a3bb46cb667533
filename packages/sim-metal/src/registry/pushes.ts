import { createHash } from "node:crypto";
import { isJsonObject } from "@capstan/schema";
import { Refusal, type ServiceAnswer, type ServiceRequest } from "@capstan/simulation";
import type { LayoutBuilder } from "./oci-layout.ts";

const blobPath = /^\/v2\/[a-z0-9/._-]+\/blobs\/(sha256:[0-9a-f]{64})$/;
const beginPath = /^\/v2\/([a-z0-9/._-]+)\/blobs\/uploads\/$/;
const uploadPath = /^\/v2\/[a-z0-9/._-]+\/blobs\/uploads\/(\d+)$/;
const manifestPath = /^\/v2\/([a-z0-9/._-]+)\/manifests\/([\w.:-]+)$/;

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Digests that a manifest names. */
const namedIn = (bytes: Uint8Array): readonly string[] => {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { config, layers = [], manifests = [] } = isJsonObject(value) ? value : {};
  return [config, layers, manifests].flat().flatMap((entry) => {
    const digest = isJsonObject(entry) ? entry["digest"] : undefined;
    return typeof digest === "string" ? [digest] : [];
  });
};

/** Takes what is pushed to a registry: blobs in one piece each, and manifests after all that they name. */
export class Pushes {
  readonly #layout: LayoutBuilder;
  readonly #uploads = new Set<string>();
  #begun = 0;

  constructor(layout: LayoutBuilder) {
    this.#layout = layout;
  }

  /** Throws `Refusal`. */
  answer({ body, headers, method, path, query }: ServiceRequest): ServiceAnswer {
    const [, digest] = blobPath.exec(path) ?? [];
    if (method === "HEAD" && digest !== undefined) return this.#head(digest);
    const [, repository] = beginPath.exec(path) ?? [];
    if (method === "POST" && repository !== undefined) return this.#begin(repository);
    const [, upload] = uploadPath.exec(path) ?? [];
    if (method === "PUT" && upload !== undefined) return this.#blob(upload, query, body);
    const [, owner, reference] = manifestPath.exec(path) ?? [];
    if (method !== "PUT" || owner === undefined || reference === undefined) {
      throw new Refusal(405, "the registry does not know this", { code: "UNSUPPORTED" });
    }
    return this.#manifest({ repository: owner, reference, body, mediaType: headers["content-type"] ?? "" });
  }

  #head(digest: string): ServiceAnswer {
    const blob = this.#layout.blobs.get(digest);
    if (blob === undefined) throw new Refusal(404, `${digest} is not known`, { code: "BLOB_UNKNOWN" });
    return { status: 200, headers: { "content-length": String(blob.bytes.length) }, body: "" };
  }

  #begin(repository: string): ServiceAnswer {
    const upload = String((this.#begun += 1));
    this.#uploads.add(upload);
    return { status: 202, headers: { location: `/v2/${repository}/blobs/uploads/${upload}` }, body: "" };
  }

  #blob(upload: string, query: string, body: Uint8Array): ServiceAnswer {
    if (!this.#uploads.delete(upload)) throw new Refusal(404, "no such upload", { code: "BLOB_UPLOAD_UNKNOWN" });
    if (new URLSearchParams(query).get("digest") !== digestOf(body)) {
      throw new Refusal(400, "the content has another digest", { code: "DIGEST_INVALID" });
    }
    this.#layout.put("application/octet-stream", body);
    return { status: 201, headers: {}, body: "" };
  }

  #manifest(put: {
    readonly repository: string;
    readonly reference: string;
    readonly body: Uint8Array;
    readonly mediaType: string;
  }): ServiceAnswer {
    const { body, mediaType, reference, repository } = put;
    const missing = namedIn(body).find((digest) => !this.#layout.blobs.has(digest));
    if (missing !== undefined) throw new Refusal(404, `${missing} is missing`, { code: "MANIFEST_BLOB_UNKNOWN" });
    const isDigest = reference.startsWith("sha256:");
    if (isDigest && reference !== digestOf(body)) {
      throw new Refusal(400, "the manifest has another digest", { code: "DIGEST_INVALID" });
    }
    const { digest } = this.#layout.put(mediaType, body);
    if (!isDigest) this.#layout.tags.set(`${repository}:${reference}`, digest);
    return { status: 201, headers: { "docker-content-digest": digest }, body: "" };
  }
}
