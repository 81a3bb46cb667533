import { jsonText, parseJson } from "@capstan/schema/structural";
import { type MessagePort, parentPort, receiveMessageOnPort, Worker, workerData } from "node:worker_threads";
import { type Ask, definedEvaluation } from "./define-evaluation.ts";
import {
  type ThreadAnswer,
  type ThreadData,
  threadMark,
  type ThreadReply,
  type ThreadRequest,
} from "./thread-messages.ts";

const answerOf = async ({ input, module, name }: ThreadRequest, ask: Ask, begin: () => void): Promise<ThreadAnswer> => {
  try {
    await import(module);
    const evaluation = definedEvaluation(name);
    if (evaluation === undefined) throw new Error(`${module} defines no evaluation ${name}`);
    begin();
    if (typeof input !== "string") {
      return { kind: "ended", output: evaluation.run(input, "whole", ask) as readonly string[] };
    }
    const value = evaluation.run(parseJson(input), "whole", ask);
    return { kind: "ended", output: jsonText({ value }) };
  } catch (error) {
    return { kind: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
};

const serve = (port: MessagePort, replies: Int32Array): void => {
  const say = (answer: ThreadAnswer): void => port.postMessage(answer);
  const ask: Ask = (question) => {
    say({ kind: "asks", question: jsonText({ value: question }) });
    Atomics.wait(replies, 0, 0);
    Atomics.store(replies, 0, 0);
    const reply = (receiveMessageOnPort(port) as { readonly message: ThreadReply }).message;
    if ("problem" in reply) throw new Error(reply.problem);
    return (parseJson(reply.answer) as { readonly value?: unknown }).value;
  };
  port.on("message", (request: ThreadRequest) => void answerOf(request, ask, () => say({ kind: "begins" })).then(say));
};

const given = workerData as Partial<ThreadData> | null;
// This module is where a thread begins, too: there is one file fewer to be found from sources, built packages and bundles.
if (given?.mark === threadMark && given.replies !== undefined && parentPort !== null) serve(parentPort, given.replies);

/** From sources, packages are found as sources. */
const flags = import.meta.url.endsWith(".ts") ? { execArgv: ["--conditions=@capstan/source"] } : {};

/** Megabytes that the values of one evaluation may take; their limits keep them far below. */
const heapMegabytes = 512;

/** Events of an evaluation in a thread. After `gone` the thread evaluates nothing more. */
export type ThreadEvent = ThreadAnswer | { readonly kind: "gone"; readonly problem: string };

/** A thread that evaluates, one thing after the other. */
export interface Thread {
  readonly worker: Worker;
  /** Who is told of what happens: one at a time. */
  listener: (event: ThreadEvent) => void;
  /** Answers what it asks. */
  reply(reply: ThreadReply): void;
}

export const startThread = (): Thread => {
  const replies = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), {
    ...flags,
    name: "evaluation",
    workerData: { mark: threadMark, replies } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const thread: Thread = {
    worker,
    listener: () => undefined,
    reply: (reply) => {
      worker.postMessage(reply);
      Atomics.store(replies, 0, 1);
      Atomics.notify(replies, 0);
    },
  };
  worker.on("message", (answer: ThreadAnswer) => thread.listener(answer));
  worker.on("error", ({ message }) => thread.listener({ kind: "gone", problem: message }));
  worker.on("exit", (status) => thread.listener({ kind: "gone", problem: `its thread ended with status ${status}` }));
  return thread;
};
