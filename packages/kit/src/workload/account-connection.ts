import type { Duplex } from "node:stream";
import { isCapstanError } from "@capstan/contract";
import { anySize, type Connection, type HttpAnswer, type HttpRequest, type HttpStream } from "@capstan/kube";

type UpgradeRequest = Parameters<Connection["upgrade"]>[0];

/** A connection whose requests are made as another user. `onForbidden`: called after every refusal for want of rights. */
export class AccountConnection implements Connection {
  readonly #inner: Connection;
  readonly #user: string;
  readonly #onForbidden: () => void;

  constructor(inner: Connection, user: string, onForbidden: () => void) {
    this.#inner = inner;
    this.#user = user;
    this.#onForbidden = onForbidden;
  }

  get url(): string {
    return this.#inner.url;
  }

  get clock(): Connection["clock"] {
    return this.#inner.clock;
  }

  get sizes(): NonNullable<Connection["sizes"]> {
    return this.#inner.sizes ?? anySize;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    return this.#seen(await this.#inner.send(this.#asUser(request)));
  }

  async open(request: HttpRequest): Promise<HttpStream> {
    return this.#seen(await this.#inner.open(this.#asUser(request)));
  }

  async upgrade(request: UpgradeRequest): Promise<Duplex> {
    try {
      return await this.#inner.upgrade(this.#asUser(request));
    } catch (error) {
      if (isCapstanError(error, "kube.forbidden")) this.#onForbidden();
      throw error;
    }
  }

  /** The connection that it stands on is closed by whoever opened it. */
  async close(): Promise<void> {}

  #asUser<T extends HttpRequest | UpgradeRequest>(request: T): T {
    return { ...request, headers: { ...request.headers, "impersonate-user": this.#user } };
  }

  #seen<T extends { readonly status: number }>(answer: T): T {
    if (answer.status === 403) this.#onForbidden();
    return answer;
  }
}
