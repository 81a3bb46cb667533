import { isJsonObject } from "@capstan/schema";
import type { HttpAnswer, Requests } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { documentTypes, maxDocumentBytes } from "./documents.ts";
import { type ImageReference, registryUrl } from "./image-reference.ts";

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

/** Reads a repository by the protocol of OCI registries, without credentials. */
class Repository implements BundleSource {
  readonly #reference: ImageReference;
  readonly #requests: Requests;
  readonly #signal: AbortSignal;
  #token: string | undefined;

  constructor(reference: ImageReference, requests: Requests, signal: AbortSignal) {
    this.#reference = reference;
    this.#requests = requests;
    this.#signal = signal;
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
    const { repository } = this.#reference;
    const url = `${registryUrl(this.#reference)}/v2/${repository}/${path}`;
    let answer = await this.#send(url, headers);
    if (answer.status === 401 && this.#token === undefined) {
      await answer.discard();
      this.#token = await this.#anonymousToken(answer.header("www-authenticate") ?? "");
      answer = await this.#send(url, headers);
    }
    answer = await this.#followed(answer, url, headers);
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
      answer = await this.#send(place, headers);
    }
  }

  /** The token is for the registry alone. */
  async #send(url: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const isOwn = new URL(url).origin === new URL(registryUrl(this.#reference)).origin;
    const authorization: Readonly<Record<string, string>> =
      this.#token === undefined || !isOwn ? {} : { authorization: `Bearer ${this.#token}` };
    return this.#requests.send({ url, headers: { ...headers, ...authorization }, signal: this.#signal });
  }

  /** The token that the registry gives to everybody. */
  async #anonymousToken(challenge: string): Promise<string> {
    const parts = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const { realm, scope = "", service = "" } = parts as Readonly<Partial<Record<string, string>>>;
    if (realm === undefined || !URL.canParse(realm)) {
      throw bundleError(
        "download_failed",
        `the registry ${this.#reference.registry} wants credentials; make the bundle public`,
      );
    }
    const url = new URL(realm);
    url.searchParams.set("service", service);
    url.searchParams.set("scope", scope);
    const answer = await this.#requests.send({ url: url.href, signal: this.#signal });
    const token = tokenIn(await answer.bytes(maxDocumentBytes));
    if (token !== undefined) return token;
    throw bundleError(
      "download_failed",
      `the registry ${this.#reference.registry} gives no token; make the bundle public`,
    );
  }
}

/** The token in an answer; `undefined` when there is none that can be read. */
const tokenIn = (bytes: Uint8Array): string | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    const { access_token: access, token = access } = isJsonObject(value) ? value : {};
    return typeof token === "string" ? token : undefined;
  } catch {
    return undefined;
  }
};

/** The repository that a reference names. */
export const registrySource = (reference: ImageReference, requests: Requests, signal: AbortSignal): BundleSource =>
  new Repository(reference, requests, signal);
