import { CapstanError } from "@capstan/contract";

/** A disturbance of the next calls of an operation. */
export interface CallFault<Call extends string> {
  readonly operation: Call | "any";
  /** Calls to let pass first. Default 0. */
  readonly skip?: number;
  /** Calls to disturb. Default 1. */
  readonly times?: number;
  /** `refuse`: nothing happens; `lose`: it happens, but the answer is an error; `hang`: nothing until the caller gives up. */
  readonly kind: "refuse" | "lose" | "hang";
  /** Default: `memory.unavailable`, to be retried. */
  readonly error?: CapstanError;
}

interface Pending<Call extends string> {
  left: number;
  skip: number;
  readonly fault: CallFault<Call>;
}

/** `retry`: a kind, or the time to wait in milliseconds. */
export const memoryError = (
  code: string,
  reason: string,
  message: string,
  retry: "never" | "backoff" | number,
): CapstanError =>
  new CapstanError({
    code: `memory.${code}`,
    reason,
    message,
    retry: typeof retry === "number" ? { kind: "after", ms: retry } : { kind: retry },
  });

/** The calls of a cloud in the memory of this process: with faults, hooks and the caller's patience. */
export class CloudCalls<Call extends string> {
  /** Every call, in order. */
  readonly made: Call[] = [];
  /** Called at the beginning and at the end of every call; may throw, as a process that dies there would. */
  onCall: (operation: Call, phase: "before" | "after") => void = () => undefined;
  /** No one answers any call. */
  down = false;
  readonly #faults: Pending<Call>[] = [];

  /** Adds a disturbance; several of the same operation come one after another. */
  disturb(fault: CallFault<Call>): void {
    this.#faults.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
  }

  async make<T>(operation: Call, work: () => T | Promise<T>, options: { readonly signal: AbortSignal }): Promise<T> {
    await Promise.resolve();
    options.signal.throwIfAborted();
    this.made.push(operation);
    this.onCall(operation, "before");
    const fault = this.#nextFault(operation);
    const error = fault?.error ?? memoryError("unavailable", "Unavailable", `${operation} is not available`, "backoff");
    if (this.down) throw memoryError("unavailable", "Unavailable", "the cloud does not answer", "backoff");
    if (fault?.kind === "hang") await untilAborted(options.signal);
    if (fault?.kind === "refuse") throw error;
    const result = await work();
    this.onCall(operation, "after");
    if (fault?.kind === "lose") throw error;
    return result;
  }

  #nextFault(operation: Call): CallFault<Call> | undefined {
    const due = this.#faults.find(({ fault, left }) => left > 0 && [operation, "any"].includes(fault.operation));
    if (due === undefined) return undefined;
    if (due.skip > 0) {
      due.skip -= 1;
      return undefined;
    }
    due.left -= 1;
    return due.fault;
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
  });
