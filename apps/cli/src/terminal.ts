import { rfc3339, silentLogger, type Logger } from "@capstan/contract";
import { createLogger, systemClock } from "@capstan/runtime";
import { jsonView, lineView, liveView, type Output, type View } from "./view/view.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const stdout = (): Output => ({
  write: (text) => void process.stdout.write(text),
  get columns() {
    return process.stdout.columns;
  },
  get height() {
    return process.stdout.rows;
  },
});

/** Where a command shows what happens; `live`: a table that is drawn over itself, where there is a terminal. */
export const viewFor = (output: "text" | "json", options: { readonly live: boolean }): View => {
  if (output === "json") return jsonView(stdout(), () => rfc3339(systemClock.now()));
  return options.live && process.stdout.isTTY ? liveView(stdout()) : lineView(stdout());
};

/** The log of the parts, on standard error. */
export const loggerFor = (options: { readonly logLevel: LogLevel; readonly output: "text" | "json" }): Logger =>
  options.logLevel === "silent"
    ? silentLogger
    : createLogger({ level: options.logLevel, format: options.output === "json" ? "json" : "text" });

/** Aborted at the first Ctrl-C or termination signal, or when nobody reads the output any more; a second signal ends the process at once. */
export const interruption = (): { readonly signal: AbortSignal; readonly close: () => void } => {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  // They stay after the end: what is still to be written finds no reader either.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => controller.abort());
  return { signal: controller.signal, close: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal) };
};

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
