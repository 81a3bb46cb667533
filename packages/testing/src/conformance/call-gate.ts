import type { Client } from "@capstan/kube";
import { CloudCalls } from "../cloud-calls.ts";

const crashed = (): Error => new Error("the process has crashed (simulated)");

const ignore = (): void => undefined;

/** Calls that hang are none of the faults here. */
const never = new AbortController().signal;

/**
 * Stands between a provider and everything it writes to. Every call has two points, before and after it takes effect; at one of them
 * the process can be made to crash, and from then on nothing goes through any more.
 */
export class CallGate {
  /** Points passed, by name. */
  readonly passed: string[] = [];
  /** Reads of single objects that were requests, by kind. They pass no point. */
  readonly asked: string[] = [];
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

/** A client whose writes go through the gate, and are disturbed as `writes` says. */
export const gatedClient = (client: Client, gate: CallGate, writes = new CloudCalls<string>()): Client => {
  const around = <T>(name: string, call: () => Promise<T>): Promise<T> =>
    gate.around(name, () => writes.make(name, call, { signal: never }));
  return {
    get: (resource, ...args) => {
      gate.asked.push(resource.kind);
      return client.get(resource, ...args);
    },
    find: (resource, ...args) => {
      gate.asked.push(resource.kind);
      return client.find(resource, ...args);
    },
    list: (...args) => client.list(...args),
    request: (request) => client.request(request),
    forward: (...args) => client.forward(...args),
    // Events are told on the side and decide nothing.
    create: (resource, ...args) =>
      resource.kind === "Event"
        ? client.create(resource, ...args)
        : around(`create ${resource.kind}`, () => client.create(resource, ...args)),
    update: (resource, ...args) => around(`update ${resource.kind}`, () => client.update(resource, ...args)),
    patch: (resource, ...args) => around(`patch ${resource.kind}`, () => client.patch(resource, ...args)),
    delete: (resource, ...args) => around(`delete ${resource.kind}`, () => client.delete(resource, ...args)),
  };
};
