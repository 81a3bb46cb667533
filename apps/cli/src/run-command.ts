import { isCapstanError } from "@capstan/contract";
import { systemFailure } from "./system-failure.ts";
import type { View } from "./view/view.ts";

/** Ignores failed writes after a command has ended: output that is still pending has no reader either. */
const nobodyReads = (): void => undefined;

/** As shells have it: 128 and the number of the signal. */
const statuses = { SIGINT: 130, SIGTERM: 143 } as const;

interface Interruption {
  readonly signal: AbortSignal;
  /** Returns the first signal. */
  readonly cause: () => keyof typeof statuses | undefined;
  readonly close: () => void;
}

/** Aborted at the first Ctrl-C or termination signal, or when no one reads the output any more; a second signal ends the process at once. */
const interruption = (): Interruption => {
  const controller = new AbortController();
  let cause: keyof typeof statuses | undefined;
  const onSignal = (name: keyof typeof statuses): void => {
    if (controller.signal.aborted) process.exit(statuses[name]);
    cause = name;
    controller.abort();
  };
  const onError = (): void => controller.abort();
  const streams = [process.stdout, process.stderr];
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  for (const stream of streams) stream.on("error", onError);
  const close = (): void => {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    // One that stays for all commands of this process, taken off first so that it is there once.
    for (const stream of streams) stream.off("error", onError).off("error", nobodyReads).on("error", nobodyReads);
  };
  return { signal: controller.signal, cause: () => cause, close };
};

/** A command that was broken off ends with the status of the signal; one that runs until it is stopped was ended as usual by SIGTERM. */
const endedBy = (cause: keyof typeof statuses | undefined, status: number): number => {
  if (cause === "SIGINT" && status === 0) return statuses.SIGINT;
  return cause !== undefined && status === statuses.SIGINT ? statuses[cause] : status;
};

export interface CommandEnd {
  /**
   * The exit status when Ctrl-C, a termination signal or the end of who reads breaks the work off: 130 where something was to be done, 0
   * where the command continues until it is stopped. Ctrl-C makes 130 of both, and SIGTERM 143 of the former. Default: what the work fails
   * with then is said like any other failure.
   */
  readonly interrupted?: 0 | 130;
  /** With JSON output failures are events like the others. Default: they are thrown. */
  readonly failures?: { readonly view: View; readonly output: "text" | "json" };
}

/** Runs a command until it ends or is interrupted; resolves to the exit status. */
export const runCommand = async (
  { interrupted, failures }: CommandEnd,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> => {
  const { cause, close, signal } = interruption();
  try {
    const status = await work(signal);
    return endedBy(cause(), status);
  } catch (error) {
    if (signal.aborted && interrupted !== undefined) return endedBy(cause(), interrupted);
    const failure = systemFailure(error);
    if (failures?.output !== "json" || !isCapstanError(failure)) throw failure;
    const { code, message, reason } = failure;
    failures.view.say({ type: "error", text: message, fields: { code, reason } });
    return 1;
  } finally {
    close();
  }
};
