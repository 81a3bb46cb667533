import { setTimeout as pause } from "node:timers/promises";
import { type Child, startChild } from "../child-process.ts";
import { cpuMs } from "../process-usage.ts";
import { addRequests, type Requests, writes } from "./audit.ts";
import type { Figures } from "./figures.ts";
import type { Resource } from "@capstan/schema";
import { installInfrastructure, Management } from "./management.ts";
import type { Contestant, ManagerProcess } from "./managers.ts";
import type { MeasureOptions } from "./options.ts";
import { type BenchServer, startServer } from "./server.ts";
import { tailOf, until } from "./until.ts";

const progressMs = 10_000;
const quietWithinMs = 180_000;

/** Everything that runs for one measurement. */
export interface MeasuredWorld {
  readonly options: MeasureOptions;
  readonly server: BenchServer;
  /** Infrastructure and workload clusters. */
  readonly standIn: Child;
  readonly managers: readonly ManagerProcess[];
  readonly management: Management;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Waits with a line of progress now and then; says why when it takes too long. */
export const untilAll = async (world: MeasuredWorld, what: string, isSo: () => boolean): Promise<void> => {
  const { management, managers, standIn, options, signal, say } = world;
  const progress = setInterval(() => say(`${what}: ${management.progress}`), progressMs);
  try {
    await until(what, isSo, { children: [...managers, standIn], signal, timeoutMs: options.timeoutMs });
  } catch (error) {
    if (!signal.aborted) say(`${management.progress}\n${management.stuck}`);
    throw error;
  } finally {
    clearInterval(progress);
  }
};

/** Waits until nothing was written for a while; resolves to the requests before that. */
export const untilQuiet = async ({ server, options: { quietMs }, signal, say }: MeasuredWorld): Promise<Requests> => {
  const taken: Requests[] = [];
  const end = performance.now() + quietWithinMs;
  let quietSince = performance.now();
  while (performance.now() - quietSince < quietMs) {
    if (performance.now() > end) {
      say(`still written after ${quietWithinMs / 1000} s: measured as it is`);
      break;
    }
    await pause(quietMs / 10, undefined, { signal });
    const requests = await server.audit.take();
    taken.push(requests);
    if (writes(requests) > 0) quietSince = performance.now();
  }
  return addRequests(taken);
};

export const pidsOf = (processes: readonly { readonly pid: number }[]): readonly number[] =>
  processes.map(({ pid }) => pid);

export const cpuSeconds = (world: MeasuredWorld): Figures["cpuSeconds"] => ({
  managers: cpuMs(pidsOf(world.managers)) / 1000,
  server: cpuMs(world.server.pids) / 1000,
  standIn: cpuMs([world.standIn.pid]) / 1000,
});

export const less = (after: Figures["cpuSeconds"], before: Figures["cpuSeconds"]): Figures["cpuSeconds"] => ({
  managers: after.managers - before.managers,
  server: after.server - before.server,
  standIn: after.standIn - before.standIn,
});

/** The program that plays infrastructure and workload clusters: it gets an order as its first message, and answers when it is ready. */
export interface StandIn<Order extends object> {
  /** Its source. */
  readonly file: string;
  /** The order, with an administrator's kubeconfig that is not counted. */
  readonly order: (kubeconfig: string) => Order;
  /** Until it is ready. */
  readonly timeoutMs: number;
}

const startStandIn = async <Order extends object>(server: BenchServer, { file }: StandIn<Order>): Promise<Child> =>
  startChild({
    name: "stand-in",
    command: process.execPath,
    args: ["--conditions=@capstan/source", file],
    folder: server.folder,
    messages: true,
  });

const standInReady = async <Order extends object>(
  child: Child,
  order: Order,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<void> => {
  let isReady = false;
  child.process.once("message", () => {
    isReady = true;
  });
  child.process.send(order);
  await until("the infrastructure to be ready", () => isReady, { children: [child], ...options });
};

/** Starts an API server, the infrastructure and someone's managers, does the work among them, and ends them all. */
export const inWorld = async <T, Order extends object>(
  contestant: Contestant,
  given: {
    readonly options: MeasureOptions;
    readonly say: (line: string) => void;
    readonly signal: AbortSignal;
    readonly standIn: StandIn<Order>;
    /** Kinds that are watched in addition to Clusters and Machines. Default: none. */
    readonly watched?: readonly Resource[];
  },
  work: (world: MeasuredWorld) => Promise<T>,
): Promise<T> => {
  const { options, say, signal } = given;
  await using cleanup = new AsyncDisposableStack();
  const server = await startServer(options, signal);
  cleanup.defer(() => server.stop());
  await installInfrastructure(server.kubeconfig("bench"));
  const managers: ManagerProcess[] = [];
  const started = (manager: ManagerProcess): void => {
    managers.push(manager);
    cleanup.defer(() => manager.stop());
  };
  const standIn = await startStandIn(server, given.standIn);
  cleanup.defer(() => standIn.stop());
  const order = given.standIn.order(server.kubeconfig("stand-in"));
  const ready = standInReady(standIn, order, { signal, timeoutMs: given.standIn.timeoutMs });
  await Promise.all([contestant.start(server, options, { signal, started }), ready]);
  const management = await Management.open(server.kubeconfig("bench"), given.watched);
  cleanup.defer(() => management.close());
  try {
    return await work({ options, server, standIn, managers, management, say, signal });
  } catch (error) {
    if (!signal.aborted) {
      for (const process of [standIn, ...managers]) say(`--- ${process.name}\n${tailOf(process.log())}`);
    }
    throw error;
  }
};
