export { defineEvaluation, TooLong } from "./define-evaluation.ts";
export type { Ask, Effort, Evaluation } from "./define-evaluation.ts";
export { evaluate, evaluateInThread, evaluateTexts } from "./evaluate.ts";
export type { EvaluateOptions } from "./evaluate.ts";
export { FairQueue } from "./fair-queue.ts";
export { flowOf } from "./flow.ts";
export { sameInTurns } from "./same-in-turns.ts";
export { textInTurns } from "./text-in-turns.ts";
