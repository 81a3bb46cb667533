import type { Fetched } from "../network/http-get.ts";

/** Kernel and initrds that a script has loaded when it runs `boot`. */
export interface LoadedKernel {
  readonly kernel: string;
  /** Kernel arguments in order, as they were written. */
  readonly args: readonly string[];
  readonly initrds: readonly string[];
}

/** Machine that iPXE runs on. */
export interface IpxeMachine {
  /** Built-in variables, for example `mac` or `net0/mac`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly fetch: (url: string) => Promise<Fetched>;
  readonly sleep: (seconds: number) => Promise<void>;
  readonly print: (line: string) => void;
}

/** As many commands as a script that boots may need, and chains as many scripts. */
const limits = { commands: 10_000, chains: 10 };

interface Line {
  readonly label?: string;
  readonly text: string;
}

/** Status of a command, where to continue, or the end of the script. */
type Step = number | "end" | { readonly label: string };

/**
 * Runs scripts as iPXE does: commands joined by `&&` and `||`, variables, labels. Kernel and initrd are noted, not fetched. Resolves with
 * what `boot` starts, or `undefined` when the script ends without, as by `exit`. Rejects when a script cannot be fetched or fails.
 */
export const runIpxe = async (url: string, machine: IpxeMachine): Promise<LoadedKernel | undefined> => {
  const session = new Session(machine);
  await session.chain(url);
  return session.booted;
};

class Session {
  readonly #machine: IpxeMachine;
  readonly #variables = new Map<string, string>();
  #kernel: Omit<LoadedKernel, "initrds"> | undefined;
  #initrds: string[] = [];
  #chains = 0;
  #commands = 0;
  booted: LoadedKernel | undefined;

  constructor(machine: IpxeMachine) {
    this.#machine = machine;
    for (const [name, value] of Object.entries(machine.settings)) this.#variables.set(name, value);
  }

  async chain(url: string): Promise<void> {
    this.#chains += 1;
    if (this.#chains > limits.chains) throw new Error(`iPXE: more than ${limits.chains} scripts one after another`);
    this.#machine.print(`iPXE: ${url}`);
    const { status, text } = await this.#machine.fetch(url);
    if (status !== 200) throw new Error(`iPXE: ${url}: HTTP ${status}`);
    const lines = linesOf(text);
    if (!/^#!ipxe\b/.test(text)) throw new Error(`iPXE: ${url}: exec format error, it does not begin with #!ipxe`);
    await this.#script(lines);
  }

  async #script(lines: readonly Line[]): Promise<void> {
    let at = 0;
    while (at < lines.length) {
      const step = await this.#line(lines[at]!.text);
      if (step === "end") return;
      if (typeof step === "object") {
        const label = lines.findIndex((line) => line.label === step.label);
        if (label < 0) throw new Error(`iPXE: there is no label ${step.label}`);
        at = label;
      } else if (step !== 0) throw new Error(`iPXE: ${lines[at]!.text}: failed`);
      else at += 1;
    }
  }

  async #line(text: string): Promise<Step> {
    let status = 0;
    for (const { command, joint } of commandsOf(text)) {
      if (joint === "&&" && status !== 0) continue;
      if (joint === "||" && status === 0) continue;
      const result = await this.#command(this.#expand(command));
      if (typeof result !== "number") return result;
      status = result;
    }
    return status;
  }

  async #command(words: readonly string[]): Promise<Step> {
    this.#commands += 1;
    if (this.#commands > limits.commands) throw new Error("iPXE: the script does not end");
    const [name = "", ...all] = words;
    const args = all.filter((word) => !word.startsWith("--"));
    const run = this.#commandsByName[name];
    if (run === undefined) throw new Error(`iPXE: ${name}: command not found`);
    return run(args);
  }

  readonly #commandsByName: Readonly<Record<string, (args: readonly string[]) => Step | Promise<Step>>> = {
    "": () => 0,
    dhcp: () => 0,
    params: () => 0,
    param: () => 0,
    echo: (args) => {
      this.#machine.print(`iPXE: ${args.join(" ")}`);
      return 0;
    },
    set: ([name = "", ...value]) => {
      // `retries:int32` is a variable with a type, which is not part of its name.
      this.#variables.set(name.split(":", 1)[0]!, value.join(" "));
      return 0;
    },
    isset: ([value = ""]) => (value === "" ? 1 : 0),
    iseq: ([a, b]) => (a === b ? 0 : 1),
    inc: ([name = "", by = "1"]) => {
      this.#variables.set(name, String(Number(this.#variables.get(name) ?? "0") + Number(by)));
      return 0;
    },
    goto: ([label = ""]) => ({ label }),
    sleep: async ([seconds = "0"]) => {
      await this.#machine.sleep(Number(seconds));
      return 0;
    },
    imgfree: () => {
      this.#kernel = undefined;
      this.#initrds = [];
      return 0;
    },
    kernel: ([kernel = "", ...args]) => {
      this.#kernel = { kernel, args };
      return 0;
    },
    initrd: ([initrd = ""]) => {
      this.#initrds.push(initrd);
      return 0;
    },
    boot: () => {
      if (this.#kernel === undefined) return 1;
      this.booted = { ...this.#kernel, initrds: this.#initrds };
      return "end";
    },
    chain: ([url = ""]) => this.chain(url).then(() => "end" as const),
    exit: ([status = "0"]) => (status === "0" ? "end" : 1),
    shell: () => 1,
  };

  #expand(command: string): readonly string[] {
    return command
      .replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => this.#variables.get(name.split(":", 1)[0] ?? "") ?? "")
      .split(/\s+/)
      .filter((word) => word !== "");
  }
}

const linesOf = (text: string): readonly Line[] =>
  text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .map((line) => (line.startsWith(":") ? { label: line.slice(1).trim(), text: "" } : { text: line }))
    .map((line) => (line.text.startsWith("#") ? { ...line, text: "" } : line));

interface JoinedCommand {
  readonly command: string;
  /** Operator before the command; empty for the first. */
  readonly joint: "" | "&&" | "||";
}

/** Splits `a && b || ` as iPXE does: the command after the last operator may be empty, which counts as success. */
const commandsOf = (text: string): readonly JoinedCommand[] => {
  const parts = text.split(/(&&|\|\|)/);
  return parts.flatMap((part, index): readonly JoinedCommand[] =>
    index % 2 === 1 ? [] : [{ command: part.trim(), joint: (parts[index - 1] ?? "") as JoinedCommand["joint"] }],
  );
};
