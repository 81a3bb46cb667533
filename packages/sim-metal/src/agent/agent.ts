import type { MethodDefinition } from "@grpc/proto-loader";
import type { Handover, Host } from "../boot/boot-program.ts";
import { runAction } from "./actions.ts";
import { grpcCall, GrpcError, GrpcStatus, type GrpcTarget } from "./grpc-call.ts";
import { type Action, workflowService } from "./messages.ts";
import { usualHardware } from "../state.ts";

/** Longest pause of an agent that found no work, and of one whose report was not taken. */
const backOffMs = 5000;
/** Seconds that Go's zero time lies before the epoch: what stands in a report for a time that is not known yet. */
const zeroTime = { seconds: -62_135_596_800, nanos: 0 };
/** With these answers to a report the agent gives up. */
const finalCodes: readonly number[] = [GrpcStatus.notFound, GrpcStatus.invalidArgument, GrpcStatus.failedPrecondition];

/** Faults of the agent in the plan of a machine, for tests that make it fail. */
interface AgentPlan {
  /** Name of an action that fails. */
  readonly failingAction?: string;
  /** Name of an action during which the agent exits without reporting. */
  readonly agentDiesAt?: string;
}

type Report = Readonly<Record<string, unknown>>;

/** The installation system: an agent that asks for actions, runs them, and reports, until one of them starts another system. */
export const runAgent = async (host: Host, kernel: ReadonlyMap<string, string>): Promise<Handover> => {
  const authority = kernel.get("grpc_authority") ?? "";
  if (authority === "") throw new Error("agent: the kernel arguments have no grpc_authority");
  const target: GrpcTarget = {
    authority,
    tls: kernel.get("tinkerbell_tls") === "true",
    insecure: kernel.get("tinkerbell_insecure_tls") === "true",
    localAddress: host.machine.address,
  };
  const agentId = kernel.get("worker_id") ?? host.machine.mac;
  host.print(`agent ${agentId}: works for ${authority}`);
  return new Agent(host, target, agentId).run();
};

class Agent {
  readonly #host: Host;
  readonly #target: GrpcTarget;
  readonly #id: string;
  /** Settled by an action that starts another system later. */
  readonly #handover = Promise.withResolvers<Handover>();

  constructor(host: Host, target: GrpcTarget, id: string) {
    this.#host = host;
    this.#target = target;
    this.#id = id;
  }

  async run(): Promise<Handover> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#host.signal, stop.signal]);
    const working = this.#work(signal);
    try {
      return await Promise.race([working, this.#handover.promise]);
    } finally {
      stop.abort();
      // What it was doing ends with the system that it ran in.
      await working.catch(() => undefined);
    }
  }

  async #work(signal: AbortSignal): Promise<Handover> {
    for (;;) {
      const action = await this.#next(signal);
      if (action === undefined) {
        await this.#host.clock.sleep(backOffMs, { signal });
        continue;
      }
      if ((await this.#perform(action, signal)) === "ended") return "stay";
    }
  }

  async #next(signal: AbortSignal): Promise<Action | undefined> {
    const request = { agentId: this.#id, agentAttributes: this.#attributes() };
    try {
      return await this.#call<Action>("GetAction", request, signal);
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      if (error.code !== GrpcStatus.notFound) this.#host.print(`agent: no action: ${error.message}`);
      return undefined;
    }
  }

  async #perform(action: Action, signal: AbortSignal): Promise<"done" | "ended"> {
    const { clock, plan, print } = this.#host;
    const { failingAction, agentDiesAt } = plan as AgentPlan;
    const start = clock.now();
    if (!(await this.#report(action, { actionState: "RUNNING" }, signal))) return "ended";
    print(`agent: runs ${action.name} (${action.image})`);
    if (agentDiesAt === action.name) {
      print("agent: killed");
      return "ended";
    }
    const failed = failingAction === action.name ? "planned failure of the action" : await this.#run(action, signal);
    const stop = clock.now();
    const outcome = {
      actionState: failed === undefined ? "SUCCESS" : "FAILED",
      executionStart: timestamp(start),
      executionStop: timestamp(stop),
      executionDuration: `${(stop - start) / 1000}s`,
      message: { message: failed ?? "" },
    };
    print(`agent: ${action.name}: ${failed ?? "done"}`);
    return (await this.#report(action, outcome, signal)) ? "done" : "ended";
  }

  /** Why it failed, if it did. */
  async #run(action: Action, signal: AbortSignal): Promise<string | undefined> {
    try {
      await runAction(action, {
        host: this.#host,
        signal,
        handOver: (handover) => this.#handover.resolve(handover),
      });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      return (error as Error).message;
    }
  }

  /** Returns whether it was taken; it is sent until someone answers. */
  async #report(action: Action, outcome: Report, signal: AbortSignal): Promise<boolean> {
    const { workflowId, taskId, actionId, name: actionName } = action;
    const times = { executionStart: zeroTime, executionStop: zeroTime };
    const request = { workflowId, taskId, actionId, actionName, agentId: this.#id, ...times, ...outcome };
    for (;;) {
      try {
        await this.#call("ReportActionStatus", request, signal);
        return true;
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        this.#host.print(`agent: report of ${actionName} not taken: ${error.message}`);
        if (finalCodes.includes(error.code)) return false;
        await this.#host.clock.sleep(backOffMs, { signal });
      }
    }
  }

  #call<Response>(name: string, request: object, signal: AbortSignal): Promise<Response> {
    const method = workflowService[name] as unknown as MethodDefinition<object, Response>;
    return grpcCall(this.#target, method, { request, signal });
  }

  #attributes(): object {
    const { mac, disks, hardware = usualHardware } = this.#host.machine;
    const { cpus, memoryMiB } = hardware;
    return {
      cpu: { totalCores: cpus, totalThreads: cpus },
      memory: { total: gigabytes(memoryMiB), usable: gigabytes(memoryMiB * 0.95) },
      block: disks.map(({ device }) => ({ name: device.replace("/dev/", ""), driveType: "SSD" })),
      network: [{ name: "eth0", mac, speed: "1000Mb/s" }],
    };
  }
}

/** As the agent says it: `4GB`, `3.8GB`. */
const gigabytes = (mebibytes: number): string => `${Number((mebibytes / 1024).toFixed(1))}GB`;

const timestamp = (ms: number): { readonly seconds: number; readonly nanos: number } => ({
  seconds: Math.floor(ms / 1000),
  nanos: (ms % 1000) * 1_000_000,
});
