import { rfc3339, silentLogger, type Logger } from "@capstan/contract";
import { createLogger, systemClock } from "@capstan/runtime";
import { jsonView, lineView, type Output, type View } from "./view/view.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const stdout: Output = { write: (text) => void process.stdout.write(text) };

/** Where a command shows what happens, one line after the other. */
export const viewFor = (output: "text" | "json"): View =>
  output === "json" ? jsonView(stdout, () => rfc3339(systemClock.now())) : lineView(stdout);

/** Returns whether there is a terminal that a table can be drawn over itself in. */
export const isLive = (): boolean => process.stdout.isTTY && process.env["TERM"] !== "dumb";

/** Returns whether texts are coloured: in terminals, unless NO_COLOR is set (https://no-color.org); FORCE_COLOR colours anywhere, but for 0. */
export const isColoured = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
  isTerminal: boolean = isLive(),
): boolean => {
  const { FORCE_COLOR: forced = "", NO_COLOR: refused = "" } = environment;
  if (refused !== "") return false;
  if (forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal;
};

/** The same as a table that is drawn over itself, where there is a terminal for it. */
export const liveViewFor = async (
  output: "text" | "json",
): Promise<{ readonly view: View; readonly live: boolean }> => {
  if (output === "json" || !isLive()) return { view: viewFor(output), live: false };
  const { liveView } = await import("./view/live-view.ts");
  const { stdout: terminal } = process;
  const view = liveView(
    {
      write: (text) => stdout.write(text),
      // A terminal that does not say how large it is counts as the smallest usual one.
      get columns() {
        return terminal.columns || 80;
      },
      get rows() {
        return terminal.rows || 24;
      },
      onResize: (listener) => void terminal.on("resize", listener),
    },
    { clock: systemClock, colour: isColoured() },
  );
  // Also at an end in the middle of it: the cursor comes back.
  process.once("exit", () => view.close());
  return { view, live: true };
};

/** The level of the log on standard error; `above`: where it would tear what is drawn there, its lines go to that instead. */
export const loggerFor = (
  options: { readonly logLevel: LogLevel; readonly output: "text" | "json" },
  above?: (line: string) => void,
): Logger =>
  options.logLevel === "silent"
    ? silentLogger
    : createLogger({
        level: options.logLevel,
        format: options.output === "json" ? "json" : "text",
        ...(above !== undefined && process.stderr.isTTY && { write: above }),
      });

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
