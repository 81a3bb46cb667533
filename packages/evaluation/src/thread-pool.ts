import { CapstanError } from "@capstan/contract";
import { jsonText, parseJson } from "@capstan/schema/structural";
import type { Ask } from "./define-evaluation.ts";
import { FairQueue } from "./fair-queue.ts";
import { afterRealTime, watchProcessorTime } from "./processor-time.ts";
import { startThread, type Thread } from "./thread.ts";
import type { Load, ThreadReply, ThreadRequest } from "./thread-messages.ts";

/** One evaluation that is to be done. */
export interface Job extends ThreadRequest {
  readonly limitMs: number;
  /** For messages: what is evaluated. */
  readonly what: string;
  /** Who it is for. */
  readonly flow: string;
  /** Answers what it asks. */
  readonly answer: Ask;
}

interface Waiting {
  readonly flow: string;
  readonly job: Job;
  readonly resolve: (output: Load) => void;
  readonly reject: (error: CapstanError) => void;
}

interface Idle {
  readonly thread: Thread;
  readonly stopWaiting: () => void;
}

/** Evaluations that run beside one another; others wait for their turn. */
const mostThreads = 2;

/** Those of one flow: there is always a thread that it cannot hold. */
const mostOfFlow = mostThreads - 1;

/** Evaluations of one flow that wait. */
const mostWaiting = 1_000;

/** A thread without work is kept so long. */
const idleMs = 30_000;

const tooLong = ({ limitMs, what }: Job): CapstanError =>
  new CapstanError({
    code: "evaluation.too_long",
    reason: "EvaluationTooLong",
    message: `${what} takes more than ${limitMs / 1000} s of processor time to evaluate; make it smaller or simpler`,
    retry: { kind: "never" },
  });

const failed = ({ what }: Job, problem: string): CapstanError =>
  new CapstanError({
    code: "evaluation.failed",
    reason: "EvaluationFailed",
    message: `${what} cannot be evaluated: ${problem}`,
    retry: { kind: "never" },
  });

const tooMany = ({ what }: Job): CapstanError =>
  new CapstanError({
    code: "evaluation.too_many",
    reason: "TooManyEvaluations",
    message: `${what} takes long to evaluate, and ${mostWaiting} evaluations of the same namespace or user wait already; it is tried again later`,
  });

const replyOf = (answer: Ask, question: string): ThreadReply => {
  try {
    return { answer: jsonText({ value: answer((parseJson(question) as { readonly value: unknown }).value) }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

/** Threads that are started when there is work for them, and end when there is none, or when something in them goes wrong. */
export class ThreadPool {
  readonly #waiting = new FairQueue<Waiting>();
  /** Number of running evaluations by flow. */
  readonly #running = new Map<string, number>();
  readonly #idle: Idle[] = [];
  #busy = 0;

  /** The output of an evaluation. Throws `evaluation.too_long`, `evaluation.failed` and `evaluation.too_many`. */
  async run(job: Job): Promise<Load> {
    const { flow } = job;
    if (this.#waiting.waiting(flow) >= mostWaiting) throw tooMany(job);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ flow, job, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy >= mostThreads) return;
    const next = this.#waiting.take((flow) => (this.#running.get(flow) ?? 0) < mostOfFlow);
    if (next === undefined) return;
    this.#busy += 1;
    this.#running.set(next.flow, (this.#running.get(next.flow) ?? 0) + 1);
    this.#begin(next, this.#take());
  }

  #take(): Thread {
    const idle = this.#idle.pop();
    if (idle === undefined) return startThread();
    idle.stopWaiting();
    idle.thread.worker.ref();
    return idle.thread;
  }

  #ended(flow: string): void {
    this.#busy -= 1;
    const others = (this.#running.get(flow) ?? 0) - 1;
    if (others > 0) this.#running.set(flow, others);
    else this.#running.delete(flow);
  }

  #begin({ flow, job, reject, resolve }: Waiting, thread: Thread): void {
    let stopWatching = (): void => undefined;
    const end = (isUsable: boolean): void => {
      stopWatching();
      this.#ended(flow);
      if (isUsable) this.#keep(thread);
      else drop(thread);
      this.#next();
    };
    const fail = (isUsable: boolean, error: CapstanError): void => {
      end(isUsable);
      reject(error);
    };
    thread.listener = (event) => {
      switch (event.kind) {
        case "begins":
          stopWatching = watchProcessorTime(thread.worker, job.limitMs, () => fail(false, tooLong(job)));
          return;
        case "asks":
          return thread.reply(replyOf(job.answer, event.question));
        case "ended":
          end(true);
          return resolve(event.output);
        default:
          return fail(event.kind === "failed", failed(job, event.problem));
      }
    };
    const { input, module, name } = job;
    thread.worker.postMessage({ input, module, name } satisfies ThreadRequest);
  }

  /** One thread is kept for what comes next. */
  #keep(thread: Thread): void {
    if (this.#idle.length > 0) return drop(thread);
    const forget = (): void => {
      const at = this.#idle.findIndex((idle) => idle.thread === thread);
      if (at >= 0) this.#idle.splice(at, 1)[0]?.stopWaiting();
    };
    thread.worker.unref();
    thread.listener = forget;
    const stopWaiting = afterRealTime(idleMs, () => {
      forget();
      drop(thread);
    });
    this.#idle.push({ thread, stopWaiting });
  }
}

/** Whatever it does is ended; what becomes of it interests no one any more. */
const drop = (thread: Thread): void => {
  thread.listener = () => undefined;
  void thread.worker.terminate();
};
