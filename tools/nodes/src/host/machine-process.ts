import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";

/** The process that begins a machine, and through it all that runs there. */
export interface MachineProcess {
  /** Why nothing runs any more, or never did; `undefined` while it runs. */
  ended(): string | undefined;
  /** Called once when it has ended or could not be started. */
  onEnd(listener: (message: string) => void): void;
  /** Its child, as the host numbers it: the machine's first process. */
  firstProcess(): number | undefined;
  /** Kills it; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts the process of a machine, which does not outlive this one, however that ends. What it says goes to the file `log`. */
export const startMachineProcess = (
  command: readonly [program: string, ...args: readonly string[]],
  options: { readonly environment: NodeJS.ProcessEnv; readonly log: string },
): MachineProcess => {
  const log = openSync(options.log, "w");
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...command], {
    env: options.environment,
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  let message: string | undefined;
  // `once` rejects with what `error` is emitted with: then there was no process.
  const end = once(child, "exit")
    .then(([code, signal]) => `its first process has ended (${String(signal ?? code)})`)
    .catch((error: Error) => `its first process could not be started: ${error.message}`)
    .then((said) => (message = said));
  return {
    ended: () => message,
    onEnd: (listener) => void end.then(listener),
    firstProcess: () => {
      if (child.pid === undefined) return undefined;
      try {
        const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
        return children === "" ? undefined : Number(children.split(" ")[0]);
      } catch {
        return undefined;
      }
    },
    kill: async () => {
      child.kill("SIGKILL");
      await end;
    },
  };
};
