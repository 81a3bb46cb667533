import type { Client } from "@capstan/kube";

const crashed = (): Error => new Error("the process has crashed (simulated)");

const ignore = (): void => undefined;

/**
 * Stands between a provider and everything it writes to. Every call has two points, before and after it takes effect; at one of them
 * the process can be made to crash, and from then on nothing goes through any more.
 */
export class CallGate {
  /** Points passed, by name. */
  readonly passed: string[] = [];
  /** Where it crashed. */
  crashedAt: string | undefined;
  readonly #crashAt: number;
  readonly #onPoint: (name: string) => void;

  /** `crashAt`: the number of the point, from 1. Default: never. `onPoint` receives every point. */
  constructor(options: { readonly crashAt?: number; readonly onPoint?: (name: string) => void } = {}) {
    this.#crashAt = options.crashAt ?? Number.POSITIVE_INFINITY;
    this.#onPoint = options.onPoint ?? ignore;
  }

  point(name: string): void {
    if (this.crashedAt !== undefined) throw crashed();
    this.passed.push(name);
    this.#onPoint(name);
    if (this.passed.length < this.#crashAt) return;
    this.crashedAt = name;
    throw crashed();
  }

  async around<T>(name: string, call: () => Promise<T>): Promise<T> {
    this.point(`before ${name}`);
    const result = await call();
    this.point(`after ${name}`);
    return result;
  }
}

/** A client whose writes go through the gate. */
export const gatedClient = (client: Client, gate: CallGate): Client => ({
  get: (...args) => client.get(...args),
  find: (...args) => client.find(...args),
  list: (...args) => client.list(...args),
  request: (request) => client.request(request),
  // Events are told on the side and decide nothing.
  create: (resource, ...args) =>
    resource.kind === "Event"
      ? client.create(resource, ...args)
      : gate.around(`create ${resource.kind}`, () => client.create(resource, ...args)),
  update: (resource, ...args) => gate.around(`update ${resource.kind}`, () => client.update(resource, ...args)),
  patch: (resource, ...args) => gate.around(`patch ${resource.kind}`, () => client.patch(resource, ...args)),
  delete: (resource, ...args) => gate.around(`delete ${resource.kind}`, () => client.delete(resource, ...args)),
});
