import { isMainThread } from "node:worker_threads";
import { defineEvaluation } from "@capstan/evaluation";

/** Loaded where it is run alone, which takes some 0.4 s. */
const jq = isMainThread ? undefined : await (await import("jq-wasm/inline")).loadJq();

export interface JqInput {
  /** Its options, as words of its command line. */
  readonly options: readonly string[];
  readonly program: string;
  /** Input of the program. */
  readonly text: string;
}

export interface JqOutput {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** jq itself, as WebAssembly. A program may have no end, so it is run in a thread. The space around what it prints is lost. */
export const filtering = defineEvaluation(import.meta.url, {
  name: "guest/jq",
  limitMs: 2_000,
  run: ({ options, program, text }: JqInput): JqOutput => {
    if (jq === undefined) throw new Error("jq runs in threads");
    const { exitCode, stderr, stdout } = jq.raw(text, program, [...options]);
    return { status: exitCode, out: stdout, err: stderr };
  },
});
