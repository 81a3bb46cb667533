import type { Clock } from "@capstan/contract";

/** Lines that a machine may have at once, and how many more each second. */
const most = 500;
const perSecond = 50;

interface Account {
  lines: number;
  at: number;
  leftOut: number;
}

/** Keeps one machine from filling the log: each has so many lines, which come back with time. */
export class LineBudget {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a line of a machine; returns how many were left out since the last one that was taken, or `undefined` if this one is, too. */
  take(machine: string): number | undefined {
    const now = this.#clock.now();
    const account = this.#accounts.get(machine) ?? { lines: most, at: now, leftOut: 0 };
    account.lines = Math.min(most, account.lines + ((now - account.at) / 1000) * perSecond);
    account.at = now;
    this.#accounts.set(machine, account);
    if (account.lines < 1) {
      account.leftOut += 1;
      return undefined;
    }
    account.lines -= 1;
    const { leftOut } = account;
    account.leftOut = 0;
    return leftOut;
  }
}
