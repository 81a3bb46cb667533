import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CapstanError } from "@capstan/contract";
import { emptyState } from "./state.ts";
import type { SimulatorState } from "./state.ts";

/** Keeps the state in a file: replaced as a whole, so a reader or a crash sees either the old state or the new. */
export class StateFile {
  readonly state: SimulatorState;
  readonly #path: string | undefined;
  #tail: Promise<void> = Promise.resolve();
  #wanted = 0;
  #written = 0;

  private constructor(path: string | undefined, state: SimulatorState) {
    this.#path = path;
    this.state = state;
  }

  /** Loads the file if there is one. Without a path everything stays in memory. */
  static async open(path: string | undefined): Promise<StateFile> {
    return new StateFile(path, path === undefined ? emptyState() : await load(path));
  }

  /** Resolves once the state as it is now, or a later one, is in the file. Calls at the same time share one write. */
  save(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve();
    this.#wanted += 1;
    const wanted = this.#wanted;
    const write = async (): Promise<void> => {
      if (this.#written >= wanted) return;
      const covers = this.#wanted;
      await replaceFile(path, JSON.stringify(this.state));
      this.#written = covers;
    };
    this.#tail = this.#tail.then(write, write);
    return this.#tail;
  }
}

const replaceFile = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.new`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
};

const load = async (path: string): Promise<SimulatorState> => {
  await mkdir(dirname(path), { recursive: true });
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyState();
    throw error;
  }
  const state = parse(path, text);
  if (state.version !== 1) throw unreadable(path, `version ${String(state.version)} is not 1`);
  const [missing] = Object.keys(emptyState()).filter((key) => !(key in state));
  if (missing !== undefined) throw unreadable(path, `it lacks ${missing}`);
  return state;
};

const parse = (path: string, text: string): SimulatorState => {
  try {
    return JSON.parse(text) as SimulatorState;
  } catch (cause) {
    throw unreadable(path, "it is no JSON", cause);
  }
};

const unreadable = (path: string, why: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "linode.simulator_state",
    reason: "SimulatorStateUnreadable",
    message: `The simulator's state file ${path} cannot be used: ${why}. Remove it to start with an empty account.`,
    retry: { kind: "never" },
    cause,
  });
