import { controllers, createApiServer, customResources } from "@capstan/apiserver";
import type { ApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import type { Clock, Logger, Random } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import {
  CustomResourceDefinitionResource,
  conditionOf,
  describeObject,
  NamespaceResource,
} from "@capstan/contract/wire";
import { connect, createCache, createClient, loadKubeconfig } from "@capstan/kube";
import type { Client, Connection } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { createManager } from "@capstan/runtime";
import type { Manager } from "@capstan/runtime";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { crdOf } from "@capstan/schema";
import type { FakeClock } from "../clock.ts";
import type { CloudCalls } from "../cloud-calls.ts";
import { seededRandom } from "../random.ts";
import { recentClock } from "../recent-clock.ts";
import { unchangedReads } from "../unchanged-reads.ts";
import { CallGate, gatedClient } from "./call-gate.ts";
import { coreKinds } from "./core-kinds.ts";

export interface RunningManager {
  readonly manager: Manager;
  /** Warnings and errors that it logged, with their fields. */
  readonly warnings: readonly string[];
  /** Ends it as a crash would: at once, without finishing anything. */
  stop(): Promise<void>;
}

export interface ManagerParts {
  readonly providers: readonly ProviderV1[];
  /** Sees only this namespace: cases do not disturb one another. Default: all. */
  readonly namespace?: string | readonly string[];
  readonly gate?: CallGate;
  /** Disturbs what it writes. */
  readonly writes?: CloudCalls<string>;
  /** Plugs services in, for example object stores. */
  readonly prepare?: (manager: Manager) => void;
}

/** Environment that a cloud is started in. */
export interface SuiteEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  /** The management API, where the cloud is made of its objects. */
  readonly client: Client;
  /** Runs controllers that are the outside world to what is under test. */
  readonly runManager: (parts: Pick<ManagerParts, "providers">) => Promise<Pick<RunningManager, "stop">>;
}

const warningsInto = (warnings: string[]): Logger => {
  const say: Logger["warn"] = (message, fields = {}) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
  const log: Logger = {
    ...silentLogger,
    warn: say,
    error: say,
    child: () => log,
  };
  return log;
};

/** Virtual time per step while time passes, in milliseconds, unless that makes too many steps: each takes a real millisecond or two. */
const shortestStepMs = 250;
const mostSteps = 600;
/** While something starts or stops, which is real work: its time limits are minutes of virtual time. */
const workStepMs = 25;

/** An embedded API server with the kinds under test, and a clock that only moves when the suite waits. */
export class ConformanceEnvironment implements SuiteEnvironment {
  readonly clock: FakeClock;
  readonly random = seededRandom(42);
  readonly client: Client;
  readonly #server: ApiServer;
  readonly #connections: Connection[];
  readonly #access: Parameters<typeof connect>[0];
  #namespaces = 0;

  readonly runManager = async ({
    gate,
    namespace,
    prepare,
    providers,
    writes,
  }: ManagerParts): Promise<RunningManager> => {
    const connection = connect(this.#access);
    const namespaces = namespace === undefined ? {} : { namespaces: [namespace].flat() };
    const cache = createCache({ connection, random: this.random, ...namespaces });
    const client = gatedClient(createClient(connection, { observer: cache }), gate ?? new CallGate(), writes);
    const warnings: string[] = [];
    const log = warningsInto(warnings);
    const manager = createManager({ client, cache, clock: this.clock, random: this.random, log });
    prepare?.(manager);
    for (const provider of providers) provider.register({ add: (controller) => manager.add(controller) });
    const end = new AbortController();
    const run = manager.run({ signal: end.signal });
    run.catch(() => undefined);
    // One that cannot run says itself why.
    await this.#finish(Promise.race([manager.ready().catch(() => run), run]));
    return {
      manager,
      warnings,
      stop: async () => {
        end.abort(new DOMException("stopped by the suite", "AbortError"));
        await this.#finish(run);
        await this.#finish(connection.close());
      },
    };
  };

  private constructor(clock: FakeClock, server: ApiServer, access: Parameters<typeof connect>[0]) {
    this.clock = clock;
    this.#server = server;
    this.#access = access;
    const connection = connect(access);
    this.#connections = [connection];
    this.client = unchangedReads(createClient(connection), () => server.revision);
  }

  static async start(kinds: readonly Kind[]): Promise<ConformanceEnvironment> {
    const clock = recentClock();
    const server = createApiServer({
      clock,
      random: seededRandom(7),
      extensions: [customResources(), ...controllers(["namespace"])],
    });
    await server.start();
    const access = await loadKubeconfig({ text: await server.adminKubeconfig() });
    const environment = new ConformanceEnvironment(clock, server, { access, clock });
    await Promise.all([...coreKinds, ...kinds].map((kind) => environment.#install(kind)));
    return environment;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) await this.#finish(connection.close());
    await this.#finish(this.#server.stop());
  }

  /** A namespace of its own for every case. */
  async namespace(): Promise<string> {
    this.#namespaces += 1;
    const name = `case-${this.#namespaces}`;
    await this.client.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    return name;
  }

  /** Lets virtual time pass until the condition holds; `maxMs`: by when it has to. */
  until(condition: () => boolean | Promise<boolean>, maxMs?: number): Promise<void> {
    return this.clock.advanceUntil(condition, maxMs === undefined ? {} : { maxMs });
  }

  /** Lets this much virtual time pass, with real I/O in between. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    const stepMs = Math.max(shortestStepMs, ms / mostSteps);
    await this.clock.advanceUntil(() => this.clock.now() >= end, { stepMs, maxMs: ms + stepMs });
  }

  /** Lets virtual time pass until the object says so; the error shows what it said last. */
  async eventually<T extends KubeObject>(
    kind: Resource<T>,
    key: ObjectKey,
    test: (object: T | undefined) => boolean,
    maxMs?: number,
  ): Promise<T | undefined> {
    let last: T | undefined;
    try {
      await this.until(async () => test((last = await this.client.find<T>(kind, key))), maxMs);
    } catch (error) {
      const shown =
        last === undefined
          ? `${kind.kind} ${key.name} is gone`
          : `${describeObject(last)}: ${JSON.stringify(last["status"])}`;
      throw new Error(`${(error as Error).message}; ${shown}`, { cause: error });
    }
    return last;
  }

  /** Deletes an object despite its finalizers, as someone does who removes them by force. */
  async removeByForce(kind: Resource, key: ObjectKey): Promise<void> {
    await this.client.delete(kind, key);
    if ((await this.client.find(kind, key)) === undefined) return;
    await this.client.patch(kind, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await this.until(async () => (await this.client.find(kind, key)) === undefined);
  }

  async #install(kind: Kind): Promise<void> {
    const definition = crdOf(kind);
    await this.client.create(CustomResourceDefinitionResource, definition);
    const name = `${kind.plural}.${kind.group}`;
    await this.until(async () => {
      const stored = await this.client.get(CustomResourceDefinitionResource, { name });
      return conditionOf(stored, "Established")?.status === "True";
    });
  }

  async #finish<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    work.then(end, end);
    await this.clock.advanceUntil(() => ended, { stepMs: workStepMs });
    return work;
  }
}
