import type { Worker } from "node:worker_threads";

/** Interval between looks at the processor time of a thread, in milliseconds. */
const everyMs = 100;

const usedMs = async (thread: Worker): Promise<number> => {
  const { system, user } = await thread.cpuUsage();
  return (system + user) / 1000;
};

/**
 * Calls `onLimit` once a thread has taken so much processor time from now on; the returned function ends the watch. Time in which other
 * programs have the processor does not count: what is refused does not depend on how busy the computer is.
 */
export const watchProcessorTime = (thread: Worker, limitMs: number, onLimit: () => void): (() => void) => {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (start: number): Promise<void> => {
    if (isOver) return;
    if ((await usedMs(thread)) - start > limitMs) {
      if (!isOver) onLimit();
      return;
    }
    timer = setTimeout(() => void look(start).catch(() => undefined), everyMs);
  };
  // A thread that has ended answers no one; who started the watch knows of it.
  void usedMs(thread)
    .then(look)
    .catch(() => undefined);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};

/** Calls `act` after so much real time, unless the returned function is called; keeps no process alive. */
export const afterRealTime = (ms: number, act: () => void): (() => void) => {
  const timer = setTimeout(act, ms).unref();
  return () => clearTimeout(timer);
};
