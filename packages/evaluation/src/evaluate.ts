import { jsonText, parseInTurns } from "@capstan/schema/structural";
import { type Ask, type Evaluation, TooLong } from "./define-evaluation.ts";
import { ThreadPool } from "./thread-pool.ts";

export interface EvaluateOptions {
  /** For messages: what is evaluated, for example `spec.files[0]`. */
  readonly what: string;
  /**
   * Who it is for: a namespace, or a user where there is none. Of one flow one evaluation runs in a thread at a time, so that the
   * other thread is there for others, and flows take turns.
   */
  readonly flow: string;
  /** Answers what the evaluation asks, at once; whatever it throws ends the evaluation. Default: nothing may be asked. */
  readonly answer?: Ask;
}

/** Threads belong to the process, as its processors do. None is started before there is something long to evaluate. */
const pool = new ThreadPool();

const noAnswer: Ask = () => {
  throw new Error("it asks something, and nobody answers");
};

/**
 * Evaluates in a thread, for what is known to be long. Throws `evaluation.too_long` once the processor time is spent,
 * `evaluation.failed` when the thread fails or ends, and `evaluation.too_many` when too many of the flow wait already: none of them
 * concerns anything else that is evaluated.
 */
export const evaluateInThread = async <Input, Output>(
  { limitMs, module, name }: Evaluation<Input, Output>,
  input: Input,
  { answer = noAnswer, flow, what }: EvaluateOptions,
): Promise<Output> => {
  const output = await pool.run({ module, name, limitMs, what, flow, answer, input: jsonText(input) });
  return ((await parseInTurns(output as string)) as { readonly value: Output }).value;
};

/**
 * As `evaluateInThread`, for what is so large that reading or writing it as JSON keeps this thread too long: texts go to the thread and
 * come back as they are.
 */
export const evaluateTexts = async (
  { limitMs, module, name }: Evaluation<readonly string[], readonly string[]>,
  texts: readonly string[],
  { answer = noAnswer, flow, what }: EvaluateOptions,
): Promise<readonly string[]> => {
  const output = await pool.run({ module, name, limitMs, what, flow, answer, input: texts });
  return output as readonly string[];
};

/** Evaluates here when it is short, as nearly everything is, otherwise in a thread. Throws as `evaluateInThread` does. */
export const evaluate = async <Input, Output>(
  evaluation: Evaluation<Input, Output>,
  input: Input,
  options: EvaluateOptions,
): Promise<Output> => {
  try {
    return evaluation.run(input, "short", options.answer ?? noAnswer);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return evaluateInThread(evaluation, input, options);
  }
};
