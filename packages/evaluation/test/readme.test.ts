import { defineEvaluation, evaluate, flowOf, TooLong } from "@capstan/evaluation";
import { expect, it } from "vitest";

export const longestWord = defineEvaluation(import.meta.url, {
  name: "example.longest-word",
  run: (text: string, effort): string => {
    if (effort === "short" && text.length > 10_000) throw new TooLong();
    return text.split(" ").reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  },
});

const word = await evaluate(longestWord, "in the beginning", { what: "spec.text", flow: flowOf("default") });

it("what the README shows works", () => {
  expect(word).toBe("beginning");
});
