import type { HttpAnswer } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { documentTypes, maxDocumentBytes } from "./documents.ts";
import type { ImageReference } from "./image-reference.ts";
import { RegistrySession, type RegistrySessionOptions } from "./registry-session.ts";

/** Where manifests and blobs of one repository are read. */
export interface BundleSource {
  /** A manifest by tag or digest; `undefined` when there is none. */
  document(reference: string): Promise<Uint8Array | undefined>;
  /** A small blob. Throws `elemental.bundle_download_failed`. */
  smallBlob(digest: string): Promise<Uint8Array>;
  /** A blob from an offset on; `from`: where it really begins. Throws `elemental.bundle_download_failed`. */
  blob(digest: string, offset: number): Promise<{ readonly from: number; readonly body: AsyncIterable<Uint8Array> }>;
}

interface Read {
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are answers, beside 200. */
  readonly expected?: readonly number[];
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];
const mostRedirects = 5;

/** Reads a repository by the protocol of OCI registries. */
class Repository implements BundleSource {
  readonly #session: RegistrySession;

  constructor(session: RegistrySession) {
    this.#session = session;
  }

  async document(reference: string): Promise<Uint8Array | undefined> {
    const headers = { accept: documentTypes.join(", ") };
    const answer = await this.#get(`manifests/${reference}`, { headers, expected: [404] });
    if (answer.status === 200) return answer.bytes(maxDocumentBytes);
    await answer.discard();
    return undefined;
  }

  async smallBlob(digest: string): Promise<Uint8Array> {
    return (await this.#get(`blobs/${digest}`)).bytes(maxDocumentBytes);
  }

  async blob(
    digest: string,
    offset: number,
  ): Promise<{ readonly from: number; readonly body: AsyncIterable<Uint8Array> }> {
    const headers: Readonly<Record<string, string>> = offset > 0 ? { range: `bytes=${offset}-` } : {};
    const { body, status } = await this.#get(`blobs/${digest}`, { headers, expected: [206] });
    return { from: status === 206 ? offset : 0, body };
  }

  async #get(path: string, { expected = [], headers = {} }: Read = {}): Promise<HttpAnswer> {
    const url = this.#session.url(path);
    const answer = await this.#followed(await this.#session.send({ url, headers }), url, headers);
    if (answer.status === 200 || expected.includes(answer.status)) return answer;
    await answer.discard();
    throw bundleError("download_failed", `the registry answers ${answer.status} to GET ${url.split("?")[0]}`);
  }

  /** Blobs may be kept elsewhere. */
  async #followed(first: HttpAnswer, url: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    let answer = first;
    let place = url;
    for (let count = 0; ; count += 1) {
      const location = answer.header("location");
      if (!redirects.includes(answer.status) || location === undefined) return answer;
      await answer.discard();
      if (count === mostRedirects) {
        throw bundleError("download_failed", `the registry sends GET ${url} on more than ${mostRedirects} times`);
      }
      if (!URL.canParse(location, place)) {
        throw bundleError("download_failed", `the registry sends GET ${url} on to what is no URL`);
      }
      place = new URL(location, place).href;
      answer = await this.#session.send({ url: place, headers });
    }
  }
}

/** The repository that a reference names. */
export const registrySource = (reference: ImageReference, options: RegistrySessionOptions): BundleSource =>
  new Repository(new RegistrySession(reference, options));
