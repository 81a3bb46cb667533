import { turnsUntil } from "@capstan/testing";
import { evaluate, evaluateInThread, TooLong } from "@capstan/evaluation";
import { describe, expect, it } from "vitest";
import { asks, endless, exits, nothing, sum, throws } from "./evaluations.ts";

const what = "spec.text";
const flow = "namespace default";

const unanswered = (): unknown => undefined;

describe("what is evaluated", () => {
  it("is done here when it is short, and in a thread otherwise, with the same result", async () => {
    expect(() => sum.run([1, 2, 3, 4], "short", unanswered)).toThrow(TooLong);
    expect(await evaluate(sum, [1, 2, 3], { what, flow })).toBe(6);
    expect(await evaluate(sum, [1, 2, 3, 4], { what, flow })).toBe(10);
  });

  it("may have no result", async () => {
    expect(await evaluateInThread(nothing, "", { what, flow })).toBeUndefined();
  });

  it("is ended when its processor time is spent, while everything else goes on", async () => {
    const work = evaluateInThread(endless, 1, { what, flow });
    expect(await turnsUntil(work)).toBeGreaterThan(0);
    await expect(work).rejects.toMatchObject({
      code: "evaluation.too_long",
      message: "spec.text takes more than 0.05 s of processor time to evaluate; make it smaller or simpler",
      retry: { kind: "never" },
    });
  });

  it.each([
    ["ends its thread", exits, 3, "spec.text cannot be evaluated: its thread ended with status 3"],
    ["throws", throws, "no such number", "spec.text cannot be evaluated: no such number"],
  ] as const)("fails alone when it %s", async (_, evaluation, input, message) => {
    const run = evaluateInThread as (
      evaluation: unknown,
      input: unknown,
      options: { what: string; flow: string },
    ) => Promise<unknown>;
    const outcomes = await Promise.allSettled([
      run(evaluation, input, { what, flow }),
      ...[1, 2, 3].map((number) => evaluateInThread(sum, [number, 1, 1, 1], { what, flow })),
    ]);
    expect(outcomes).toMatchObject([
      {
        status: "rejected",
        reason: { code: "evaluation.failed", message: expect.stringContaining(message) as string },
      },
      { value: 4 },
      { value: 5 },
      { value: 6 },
    ]);
  });

  it("takes its turn when there is a lot to do", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const sums = await Promise.all(numbers.map(async (number) => evaluateInThread(sum, [number, 1], { what, flow })));
    expect(sums).toEqual(numbers.map((number) => number + 1));
  });

  it("asks here what only is known here, and goes on with the answer", async () => {
    const questions: unknown[] = [];
    const answer = (question: unknown): unknown => {
      questions.push(question);
      return `${String(question)}!`;
    };
    expect(await evaluateInThread(asks, ["a", "b"], { what, flow, answer })).toEqual(["a!", "b!"]);
    expect(questions).toEqual(["a", "b"]);
  });

  it("fails when it asks and nobody answers, and its thread is of use after that", async () => {
    const message = "spec.text cannot be evaluated: it asks something, and nobody answers";
    await expect(evaluateInThread(asks, ["a"], { what, flow })).rejects.toMatchObject({ message });
    expect(await evaluateInThread(sum, [1, 2], { what, flow })).toBe(3);
  });
});

describe("flows", () => {
  it("do not wait for one another, however many long evaluations one of them has", async () => {
    const ended: string[] = [];
    const one = async (name: string, work: Promise<unknown>): Promise<void> => {
      await work.catch(() => undefined);
      ended.push(name);
    };
    await Promise.all([
      ...Array.from({ length: 4 }, async () => one("greedy", evaluateInThread(endless, 1, { what, flow: "a" }))),
      one("other", evaluateInThread(sum, [1, 2], { what, flow: "b" })),
    ]);
    expect(ended.indexOf("other")).toBeLessThan(3);
  });

  it("have a thousand that wait at most; of others nothing is refused", async () => {
    const many = Array.from({ length: 1_003 }, async () => evaluateInThread(sum, [1, 2], { what, flow: "a" }));
    const others = evaluateInThread(sum, [1, 2], { what, flow: "b" });
    const outcomes = await Promise.allSettled(many);
    expect(outcomes.slice(1_001)).toMatchObject([
      { reason: { code: "evaluation.too_many", retry: { kind: "backoff" } } },
      { reason: { code: "evaluation.too_many" } },
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
    expect(await others).toBe(3);
  });
});
