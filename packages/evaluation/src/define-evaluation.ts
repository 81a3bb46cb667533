/**
 * Limit of an evaluation: `short` is below 50 ms, and throws `TooLong` where that is not enough; `whole` is all that
 * its limits allow.
 */
export type Effort = "short" | "whole";

/** Thrown by an evaluation that may only be short, and cannot be. */
export class TooLong extends Error {
  constructor() {
    super("it takes too long to be evaluated at once");
    this.name = "TooLong";
  }
}

/**
 * Asks whoever began the evaluation something that only the main thread knows, and waits for the answer; both are JSON. Throws when no one
 * answers.
 */
export type Ask = (question: unknown) => unknown;

/** Something that is evaluated for a user. */
export interface Evaluation<Input, Output> {
  /** Unique in the program. */
  readonly name: string;
  /** URL of the module that defines it. */
  readonly module: string;
  /** Milliseconds of processor time that it may take in a thread. */
  readonly limitMs: number;
  /** Errors in the input are part of the result; anything thrown other than `TooLong` is a defect of the program. */
  readonly run: (input: Input, effort: Effort, ask: Ask) => Output;
}

const defaultLimitMs = 10_000;

/** Every evaluation whose module was loaded in this thread. */
const defined = new Map<string, Evaluation<never, unknown>>();

/**
 * Defines an evaluation. Called at the top level of a module with its `import.meta.url`: a thread imports the module to find it. Input and
 * output are JSON, which may hold a bigint; `limitMs` is the processor time that it may take in a thread, default ten seconds.
 */
export const defineEvaluation = <Input, Output>(
  module: string,
  {
    limitMs = defaultLimitMs,
    ...evaluation
  }: Pick<Evaluation<Input, Output>, "name" | "run"> & { readonly limitMs?: number },
): Evaluation<Input, Output> => {
  const whole = { ...evaluation, limitMs, module };
  defined.set(whole.name, whole);
  return whole;
};

/** The evaluation of a name, once the module that defines it was loaded. */
export const definedEvaluation = (name: string): Evaluation<unknown, unknown> | undefined =>
  defined.get(name) as Evaluation<unknown, unknown> | undefined;
