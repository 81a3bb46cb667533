import { type Client as GrpcClient, credentials, makeGenericClientConstructor, type ServiceError } from "@grpc/grpc-js";
import type { ServiceDefinition } from "@grpc/proto-loader";
import type { ProviderV1 } from "@capstan/contract/v1";
import type { ObjectKey } from "@capstan/kube-values";
import { type CallGate, ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { freePort } from "@capstan/testing";
import { BmcJob, BmcMachine, BmcTask, Hardware, Template, Workflow } from "../src/api.ts";
import { createTinkerbellProvider } from "../src/index.ts";
import { type Outage, underItsRole } from "./under-its-role.ts";
import type { TinkerbellServices } from "../src/options.ts";
import { agentService } from "../src/worker/messages.ts";

/** Where the services of the tests listen; clients of gRPC come from the first address. */
export const client = "127.0.0.1";
const server = "127.0.0.1";

export const startEnvironment = (): Promise<ConformanceEnvironment> =>
  ConformanceEnvironment.start([Hardware, Template, Workflow, BmcMachine, BmcJob, BmcTask]);

export type Answer = Readonly<Record<string, unknown>>;

/** What a call came to: an answer, or the code of its failure. */
export type Outcome = { readonly answer: Answer } | { readonly code: number; readonly details: string };

export interface WorldParts {
  /** True if Machines, Jobs and Tasks have their controllers. */
  readonly boardManagement: boolean;
  /** True if the manager is for all namespaces. Default: for that of the world. */
  readonly everywhere?: boolean;
  /** Stands before what the first manager writes. */
  readonly gate?: CallGate;
}

/** Tinkerbell in a namespace, and agents that call it. */
export class TinkerbellWorld {
  readonly environment: ConformanceEnvironment;
  readonly namespace: string;
  readonly grpcPort: number;
  readonly #httpPort: number;
  readonly #parts: WorldParts;
  readonly #settings: Partial<TinkerbellServices>;
  readonly #clients: GrpcClient[] = [];
  #running: RunningManager | undefined;
  /** What clients of gRPC show. Default: nothing, without TLS. */
  credentials = credentials.createInsecure();
  /** Set while the management API does not answer. */
  outage: Outage | undefined;

  private constructor(
    environment: ConformanceEnvironment,
    namespace: string,
    ports: { readonly grpc: number; readonly http: number },
    settings: Partial<TinkerbellServices>,
    parts: WorldParts,
  ) {
    this.environment = environment;
    this.namespace = namespace;
    this.grpcPort = ports.grpc;
    this.#httpPort = ports.http;
    this.#settings = settings;
    this.#parts = parts;
  }

  static async start(
    environment: ConformanceEnvironment,
    settings: Partial<TinkerbellServices> = {},
    parts: WorldParts = { boardManagement: true },
  ): Promise<TinkerbellWorld> {
    const ports = { grpc: await freePort(), http: await freePort() };
    const world = new TinkerbellWorld(environment, await environment.namespace(), ports, settings, parts);
    await world.run(parts.gate);
    return world;
  }

  /** Starts the manager, for example after `crash`. */
  async run(gate?: CallGate): Promise<void> {
    const services = { address: server, grpcPort: this.grpcPort, httpPort: this.#httpPort, ...this.#settings };
    const all = createTinkerbellProvider({ services });
    const register: ProviderV1["register"] = (host) =>
      all.register({
        add: (controller) => {
          if (this.#parts.boardManagement || !controller.name.includes("bmc")) {
            host.add(underItsRole(controller, (verb) => this.outage?.(verb)));
          }
        },
      });
    const providers = [{ ...all, register }];
    const where = this.#parts.everywhere === true ? {} : { namespace: this.namespace };
    const parts = { providers, ...where, ...(gate !== undefined && { gate }) };
    this.#running = await this.environment.runManager(parts);
  }

  async crash(): Promise<void> {
    for (const each of this.#clients.splice(0)) each.close();
    await this.#running?.stop();
    this.#running = undefined;
  }

  key(name: string): ObjectKey {
    return { namespace: this.namespace, name };
  }

  async create(
    kind: typeof Hardware | typeof Template | typeof Workflow,
    name: string,
    spec: object,
    metadata: object = {},
  ) {
    const { group, version } = kind;
    const object = {
      apiVersion: `${group}/${version}`,
      kind: kind.kind,
      metadata: { ...metadata, ...this.key(name) },
      spec,
    };
    return this.environment.client.create(kind as typeof Workflow, object);
  }

  workflow(name: string): Promise<Workflow> {
    return this.environment.client.get(Workflow, this.key(name));
  }

  /** Waits until the status of a workflow is like that. */
  async settled(name: string, test: (workflow: Workflow) => boolean): Promise<Workflow> {
    const found = await this.environment.eventually<Workflow>(
      Workflow,
      this.key(name),
      (of) => of !== undefined && test(of),
    );
    return found!;
  }

  /** Makes one call with a real client, and lets time pass until it is answered. */
  async call(method: string, request: object, service: ServiceDefinition = agentService): Promise<Outcome> {
    const outcome: { value?: Outcome } = {};
    const Client = makeGenericClientConstructor(service, "WorkflowService");
    const caller = new Client(`${server}:${this.grpcPort}`, this.credentials);
    this.#clients.push(caller);
    const methods = caller as unknown as Record<
      string,
      (of: object, done: (error: ServiceError | null, answer?: Answer) => void) => void
    >;
    methods[method]!(request, (error, answer = {}) => {
      outcome.value = error === null ? { answer } : { code: error.code, details: error.details };
    });
    await this.environment.until(() => outcome.value !== undefined, 120_000);
    caller.close();
    return outcome.value!;
  }

  /** Makes a call that answers with several messages. */
  async stream(method: string, request: object, service: ServiceDefinition): Promise<readonly Answer[]> {
    const Client = makeGenericClientConstructor(service, "WorkflowService");
    const caller = new Client(`${server}:${this.grpcPort}`, this.credentials);
    const methods = caller as unknown as Record<string, (of: object) => NodeJS.ReadableStream>;
    const collect = async (): Promise<readonly Answer[]> => {
      const found: Answer[] = [];
      for await (const each of methods[method]!(request)) found.push(each as unknown as Answer);
      return found;
    };
    const found = collect();
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    found.then(end, end);
    await this.environment.until(() => ended);
    caller.close();
    return found;
  }

  /** The same for a call that must be answered. */
  async answer(method: string, request: object, service?: ServiceDefinition): Promise<Answer> {
    const outcome = await this.call(method, request, service);
    if ("answer" in outcome) return outcome.answer;
    throw new Error(`${method}: ${outcome.code} ${outcome.details}`);
  }
}
