import { Readable } from "node:stream";
import type { HttpAnswer } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { isJsonObject } from "@capstan/schema";
import { maxDocumentBytes } from "./documents.ts";
import type { ImageReference } from "./image-reference.ts";
import type { LayoutFolder } from "./layout-folder.ts";
import { RegistrySession, type RegistrySessionOptions } from "./registry-session.ts";
import { signatureTag } from "./signature.ts";

/** A manifest, with what has to be in the registry before it. */
interface Manifest {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly blobs: readonly string[];
  readonly manifests: readonly string[];
}

const digestsIn = (list: unknown): readonly string[] =>
  (Array.isArray(list) ? list : [list]).flatMap((entry: unknown) => {
    const digest = isJsonObject(entry) ? entry["digest"] : undefined;
    return typeof digest === "string" ? [digest] : [];
  });

const manifestIn = (bytes: Uint8Array): Manifest => {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { config, layers = [], manifests = [], mediaType } = isJsonObject(value) ? value : {};
  return {
    mediaType: typeof mediaType === "string" ? mediaType : "",
    bytes,
    blobs: [...digestsIn(config), ...digestsIn(layers)],
    manifests: digestsIn(manifests),
  };
};

/** Writes to one repository by the protocol of OCI registries. */
class Push {
  readonly #layout: LayoutFolder;
  readonly #session: RegistrySession;

  constructor(layout: LayoutFolder, session: RegistrySession) {
    this.#layout = layout;
    this.#session = session;
  }

  /** Sends a manifest after all that it names. */
  async manifest(name: string, bytes: Uint8Array): Promise<void> {
    const { blobs, manifests, mediaType } = manifestIn(bytes);
    for (const digest of blobs) await this.#blob(digest);
    for (const digest of manifests) await this.manifest(digest, await this.#layout.smallBlob(digest));
    const url = this.#session.url(`manifests/${name}`);
    await this.#expect(
      201,
      await this.#session.send({ method: "PUT", url, headers: { "content-type": mediaType }, body: bytes }),
      url,
    );
  }

  /** Sends a blob unless it is there. */
  async #blob(digest: string): Promise<void> {
    const size = await this.#layout.size(digest);
    const present = await this.#session.send({ method: "HEAD", url: this.#session.url(`blobs/${digest}`) });
    await present.discard();
    if (present.status === 200) return;
    const begun = this.#session.url("blobs/uploads/");
    const upload = await this.#session.send({ method: "POST", url: begun, headers: { "content-length": "0" } });
    const location = upload.header("location");
    await this.#expect(202, upload, begun);
    if (location === undefined || !URL.canParse(location, begun)) {
      throw bundleError("push_failed", `the registry answers POST ${begun} without a place to send to`);
    }
    const place = new URL(location, begun);
    place.searchParams.set("digest", digest);
    const { body } = await this.#layout.blob(digest, 0);
    const headers = { "content-type": "application/octet-stream", "content-length": String(size) };
    const sent = await this.#session.send({ method: "PUT", url: place.href, headers, body: Readable.from(body) });
    await this.#expect(201, sent, begun);
  }

  async #expect(status: number, answer: HttpAnswer, url: string): Promise<void> {
    if (answer.status === status) return answer.discard();
    const said = Buffer.from(await answer.bytes(maxDocumentBytes))
      .toString("utf8")
      .slice(0, 300);
    throw bundleError("push_failed", `the registry answers ${answer.status} to what is sent to ${url}: ${said}`);
  }
}

/**
 * Sends the bundle of a layout and its signatures to a registry, what it has already left out; returns the digest. The signatures go
 * first, so that no host finds the bundle without them. Throws `elemental.bundle_*`, `elemental.unreachable`.
 */
export const pushBundle = async (
  layout: LayoutFolder,
  reference: ImageReference,
  options: RegistrySessionOptions,
): Promise<string> => {
  const digest = await layout.bundle();
  if (reference.digest !== undefined && reference.digest !== digest) {
    throw bundleError("push_failed", `the bundle has the digest ${digest}, and is to be pushed as ${reference.digest}`);
  }
  const push = new Push(layout, new RegistrySession(reference, options));
  const signatures = await layout.document(signatureTag(digest));
  if (signatures !== undefined) await push.manifest(signatureTag(digest), signatures);
  await push.manifest(reference.tag ?? digest, await layout.smallBlob(digest));
  return digest;
};
