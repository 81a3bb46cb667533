import { defineEvaluation, TooLong } from "@capstan/evaluation";

/** Adds numbers up, of which three are short. */
export const sum = defineEvaluation(import.meta.url, {
  name: "test.sum",
  run: (numbers: readonly number[], effort) => {
    if (effort === "short" && numbers.length > 3) throw new TooLong();
    return numbers.reduce((all, each) => all + each, 0);
  },
});

/** Never ends. */
export const endless = defineEvaluation(import.meta.url, {
  name: "test.endless",
  limitMs: 50,
  run: (step: number): number => {
    for (let turn = 0; ; turn += step) if (turn < 0) return turn;
  },
});

/** Ends its thread. */
export const exits = defineEvaluation(import.meta.url, {
  name: "test.exits",
  run: (status: number) => process.exit(status),
});

export const throws = defineEvaluation(import.meta.url, {
  name: "test.throws",
  run: (problem: string) => {
    throw new RangeError(problem);
  },
});

/** Has no result. */
export const nothing = defineEvaluation(import.meta.url, {
  name: "test.nothing",
  run: (text: string): string | undefined => (text === "" ? undefined : text),
});

/** What it is answered. */
export const asks = defineEvaluation(import.meta.url, {
  name: "test.asks",
  run: (questions: readonly string[], _effort, ask) => questions.map((question) => ask(question)),
});
