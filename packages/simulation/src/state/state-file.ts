import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CapstanError } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import { emptyState, type SimulatedState, type StateDefinition } from "./simulated-state.ts";

export interface StateFileOptions<S extends SimulatedState> {
  /** Begins the codes of its errors. */
  readonly simulator: string;
  readonly definition: StateDefinition<S>;
  /** Without it everything stays in memory. */
  readonly path: string | undefined;
}

/** Keeps the state in a file: replaced as a whole, so a reader or a crash sees either the old state or the new. */
export class StateFile<S extends SimulatedState> {
  readonly state: S;
  readonly #path: string | undefined;
  #tail: Promise<void> = Promise.resolve();
  #wanted = 0;
  #written = 0;

  private constructor(path: string | undefined, state: S) {
    this.#path = path;
    this.state = state;
  }

  /** Loads the file if there is one. Throws `<simulator>.simulator_state`, naming the file, when it is damaged or of another version. */
  static async open<S extends SimulatedState>(options: StateFileOptions<S>): Promise<StateFile<S>> {
    return new StateFile(options.path, await load(options));
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

const load = async <S extends SimulatedState>({ simulator, definition, path }: StateFileOptions<S>): Promise<S> => {
  const empty = emptyState(definition);
  if (path === undefined) return empty;
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return empty;
  const refuse = (why: string, cause?: unknown): CapstanError => unreadable(simulator, path, why, cause);
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (cause) {
    throw refuse("it is not JSON", cause);
  }
  if (!isJsonObject(stored)) throw refuse("it is not a JSON object");
  if (stored["version"] !== definition.version) {
    throw refuse(`version ${String(stored["version"])} is not ${definition.version}`);
  }
  // Files of releases without timers have none under way.
  const state = { timers: [], ...stored };
  const [missing] = Object.keys(empty).filter((key) => !(key in state));
  if (missing !== undefined) throw refuse(`it lacks ${missing}`);
  return state as unknown as S;
};

const unreadable = (simulator: string, path: string, why: string, cause: unknown): CapstanError =>
  new CapstanError({
    code: `${simulator}.simulator_state`,
    reason: "SimulatorStateUnreadable",
    message: `The simulator's state file ${path} cannot be used: ${why}. Remove it to start with an empty account.`,
    retry: { kind: "never" },
    cause,
  });
