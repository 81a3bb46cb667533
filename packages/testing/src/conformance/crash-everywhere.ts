import assert from "node:assert/strict";
import { CallGate } from "./call-gate.ts";

const manyPoints = 200;

export type Play = (gate: CallGate) => Promise<void>;

/**
 * Plays a scene again and again, with a crash at the first point, at the second, and so on, until it ends before it comes to crash. With
 * `every` it takes a sample: each so manieth point. A failure says where the crash was.
 */
export const crashEverywhere = async (play: Play, { every = 1 }: { readonly every?: number } = {}): Promise<void> => {
  for (let at = 1; at <= manyPoints; at += every) {
    const gate = new CallGate({ crashAt: at });
    try {
      await play(gate);
    } catch (error) {
      throw new Error(`with a crash at point ${at} (${gate.crashedAt ?? "not reached"}): ${(error as Error).message}`, {
        cause: error,
      });
    }
    if (gate.crashedAt === undefined) {
      assert.ok(at > 1, "the scene passes at least one point where it can crash");
      return;
    }
  }
  assert.fail(`the scene does not come to an end within ${manyPoints} calls`);
};
