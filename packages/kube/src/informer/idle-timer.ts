import type { Clock } from "@capstan/contract";

export interface IdleTimer {
  touch(): void;
  stop(): void;
}

/** Calls back once when it was not touched for `ms`. Touching costs nothing: the timer looks at the last touch. */
export const idleTimer = (clock: Clock, ms: number, expired: () => void): IdleTimer => {
  let touchedAt = clock.now();
  const check = (): void => {
    const left = touchedAt + ms - clock.now();
    if (left <= 0) expired();
    else cancel = clock.schedule(left, check);
  };
  let cancel = clock.schedule(ms, check);
  return {
    touch: () => {
      touchedAt = clock.now();
    },
    stop: () => cancel(),
  };
};
