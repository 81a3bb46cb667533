import { isJsonObject } from "@capstan/schema";
import type { HttpAnswer, HttpRequest, Requests } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { maxDocumentBytes } from "./documents.ts";
import { type ImageReference, registryUrl } from "./image-reference.ts";

/** A user of a registry. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

export interface RegistrySessionOptions {
  readonly requests: Requests;
  readonly signal: AbortSignal;
  /** Default: nobody's, as for public images. */
  readonly credentials?: RegistryCredentials | undefined;
  /** Fix to suggest when the registry requires credentials. Default: to make the bundle public. */
  readonly hint?: string;
}

/** Requests to a registry, with the token or password that it asks for. These are sent to its own origin alone. */
export class RegistrySession {
  readonly #reference: ImageReference;
  readonly #options: RegistrySessionOptions;
  #authorization: string | undefined;
  #challenge: string | undefined;

  constructor(reference: ImageReference, options: RegistrySessionOptions) {
    this.#reference = reference;
    this.#options = options;
  }

  /** The URL of something in the repository. */
  url(path: string): string {
    return `${registryUrl(this.#reference)}/v2/${this.#reference.repository}/${path}`;
  }

  /**
   * Sends a request, and again with credentials when the registry wants others than it got before. A body that is a stream is sent
   * once. Throws `elemental.bundle_download_failed`, `elemental.unreachable`.
   */
  async send(request: Omit<HttpRequest, "signal">): Promise<HttpAnswer> {
    const answer = await this.#sendOnce(request);
    const challenge = answer.header("www-authenticate") ?? "";
    const isStream = typeof request.body === "object" && !(request.body instanceof Uint8Array);
    if (answer.status !== 401 || challenge === this.#challenge || isStream) return answer;
    await answer.discard();
    this.#challenge = challenge;
    this.#authorization = await this.#authorizationFor(challenge);
    return this.#sendOnce(request);
  }

  async #sendOnce(request: Omit<HttpRequest, "signal">): Promise<HttpAnswer> {
    const { requests, signal } = this.#options;
    const isOwn = new URL(request.url).origin === new URL(registryUrl(this.#reference)).origin;
    const authorization: Readonly<Record<string, string>> =
      this.#authorization === undefined || !isOwn ? {} : { authorization: this.#authorization };
    return requests.send({ ...request, headers: { ...request.headers, ...authorization }, signal });
  }

  #basic(): string | undefined {
    const { credentials } = this.#options;
    if (credentials === undefined) return undefined;
    return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
  }

  async #authorizationFor(challenge: string): Promise<string> {
    const parts = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const { realm, scope = "", service = "" } = parts as Readonly<Partial<Record<string, string>>>;
    const basic = this.#basic();
    if (/^basic\b/i.test(challenge) && basic !== undefined) return basic;
    if (/^basic\b/i.test(challenge) || realm === undefined || !URL.canParse(realm)) {
      throw this.#refused("wants credentials");
    }
    const url = new URL(realm);
    if (url.protocol !== "https:" && registryUrl(this.#reference).startsWith("https:")) {
      throw this.#refused(`gives its tokens at ${url.origin}, where passwords can be read on the way`);
    }
    url.searchParams.set("service", service);
    url.searchParams.set("scope", scope);
    const { requests, signal } = this.#options;
    const headers: Readonly<Record<string, string>> = basic === undefined ? {} : { authorization: basic };
    const answer = await requests.send({ url: url.href, headers, signal });
    const token = tokenIn(await answer.bytes(maxDocumentBytes));
    if (token === undefined) throw this.#refused("gives no token");
    return `Bearer ${token}`;
  }

  #refused(how: string): Error {
    const { hint = "make the bundle public" } = this.#options;
    return bundleError("download_failed", `the registry ${this.#reference.registry} ${how}; ${hint}`);
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
