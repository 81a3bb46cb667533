import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A line of `-o json`. */
export interface CommandEvent {
  readonly type: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** The command in a process of its own. */
export interface CommandProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly events: readonly CommandEvent[];
  readonly ended: Promise<number | null>;
  /** The first event that is so; rejects when the process ends without one. */
  until(isIt: (event: CommandEvent) => boolean): Promise<CommandEvent>;
  stop(): Promise<number | null>;
}

const repository = join(import.meta.dirname, "../../..");

/** Starts the command from sources, with JSON output, in the folder of the repository. */
export const startCommand = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): CommandProcess => {
  const command = ["--conditions=@capstan/source", "apps/cli/src/main.ts", ...args, "-o", "json"];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, command, { cwd: repository, env, stdio: ["ignore", "pipe", "inherit"] });
  const events: CommandEvent[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line) as CommandEvent);
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
  return {
    child,
    events,
    ended,
    until: (isIt) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(isIt);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then((status) => reject(new Error(`ended with ${status}: ${JSON.stringify(events)}`)));
      }),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    // A test that failed leaves nothing running.
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};
