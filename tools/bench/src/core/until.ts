import { setTimeout as pause } from "node:timers/promises";
import type { Child } from "../child-process.ts";

const pollMs = 50;
const tailLines = 20;

/** The last lines of a program's output. */
export const tailOf = (log: string): string => log.trimEnd().split("\n").slice(-tailLines).join("\n");

/** Asks until the answer is yes. Throws when a child ends, the time is over or the signal is aborted. */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  options: {
    readonly signal: AbortSignal;
    readonly children?: readonly Pick<Child, "name" | "ended" | "log">[];
    /** Default: two minutes. */
    readonly timeoutMs?: number;
  },
): Promise<void> => {
  const { signal, children = [], timeoutMs = 120_000 } = options;
  const end = performance.now() + timeoutMs;
  while (!(await isSo())) {
    signal.throwIfAborted();
    const dead = children.find(({ ended }) => ended !== undefined);
    if (dead !== undefined) throw new Error(`${dead.name} ended (${dead.ended}):\n${tailOf(dead.log())}`);
    if (performance.now() > end) {
      throw new Error(
        [
          `waited ${Math.round(timeoutMs / 1000)} s for ${what}`,
          ...children.map(({ name, log }) => `--- ${name}\n${tailOf(log())}`),
        ].join("\n"),
      );
    }
    await pause(pollMs, undefined, { signal });
  }
};
