/** The longest time between two turns of the event loop. */
export interface Stop {
  readonly wallMs: number;
  /** CPU time of the thread in its longest stop, without what other programs took meanwhile. */
  readonly cpuMs: number;
}

const everyMs = 2;

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Watches the event loop of this thread; each call of the answer says what was longest since the call before. */
export const watchStops = (): (() => Stop) => {
  let [wall, cpu] = [performance.now(), threadMs()];
  let longest: Stop = { wallMs: 0, cpuMs: 0 };
  const turn = (): void => {
    const [nowWall, nowCpu] = [performance.now(), threadMs()];
    longest = {
      wallMs: Math.max(longest.wallMs, nowWall - wall),
      cpuMs: Math.max(longest.cpuMs, nowCpu - cpu),
    };
    [wall, cpu] = [nowWall, nowCpu];
  };
  setInterval(turn, everyMs).unref();
  return () => {
    turn();
    const seen = longest;
    longest = { wallMs: 0, cpuMs: 0 };
    return seen;
  };
};
