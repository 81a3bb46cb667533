import { addUsers } from "../boot/accounts.ts";
import { type CloudConfig, readCloudConfigs, writeFiles, type Command } from "../boot/cloud-config.ts";
import type { Part } from "../boot/user-data.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { Input, type Streams } from "../unix/session.ts";
import type { MachineShell } from "./machine-shell.ts";

const scripts = "/var/lib/cloud/instance/scripts";

const boothooks = "/var/lib/cloud/instance/boothooks";

/** A word as the shell takes it literally. */
export const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The one script that cloud-init makes of all commands: it continues after one that fails, and ends as the last does. */
const scriptOf = (commands: readonly Command[]): string =>
  `#!/bin/sh\n${commands.map((command) => `${typeof command === "string" ? command : command.map(quoted).join(" ")}\n`).join("")}`;

/** Prints whole lines on the console of the machine. */
export const linePrinter = (
  print: (line: string) => void,
): { readonly write: (text: string) => void; readonly end: () => void } => {
  let rest = "";
  return {
    write: (text) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) print(line);
    },
    end: () => {
      if (rest !== "") print(rest);
      rest = "";
    },
  };
};

/** Runs what cloud-init finds in the user-data of a first boot: its modules in their order, then the scripts. */
export class BootScripts {
  readonly #machine: MachineContext;
  readonly #shell: MachineShell;

  constructor(machine: MachineContext, shell: MachineShell) {
    this.#machine = machine;
    this.#shell = shell;
  }

  /** Resolves with how many scripts have failed. */
  async run(parts: readonly Part[]): Promise<number> {
    const { console: output, disk } = this.#machine;
    const configs = parts.filter((part) => part.type === "cloud-config");
    const config = await readCloudConfigs(configs, (line) => output.print("cloud-init", line));
    for (const [index, hook] of parts.filter((part) => part.type === "boothook").entries()) {
      await this.#script(`${boothooks}/part-${String(index + 1).padStart(3, "0")}`, hook.text);
    }
    if (config.ignored.length > 0) {
      output.print("cloud-init", `modules without effect here: ${config.ignored.join(", ")}`);
    }
    if (
      config.bootcmd.length > 0 &&
      (await this.#script("/tmp/bootcmd", scriptOf(config.bootcmd), this.#instance())) !== 0
    ) {
      output.print("cloud-init", "Failed to run bootcmd module");
    }
    this.#writeFiles(config, false);
    addUsers(
      config.users.filter((name) => name !== "default" && name !== "undefined"),
      disk,
    );
    for (const failure of config.failures) output.print("cloud-init", `util.py[WARNING]: ${failure}`);
    this.#writeFiles(config, true);
    const found = this.#scriptsOf(parts);
    if (config.runcmd.length > 0) found.push([`${scripts}/runcmd`, scriptOf(config.runcmd)]);
    let failures = 0;
    for (const [path, text] of found.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      disk.write(path, text, { permissions: "0700" });
      const status = await this.#script(path, text);
      if (status === 0) continue;
      failures += 1;
      output.print("cloud-init", `util.py[WARNING]: Failed running ${path} [${status}]`);
    }
    if (failures > 0) output.print("cloud-init", `Failed to run module scripts_user (scripts in ${scripts})`);
    return failures;
  }

  #writeFiles(config: CloudConfig, deferred: boolean): void {
    try {
      writeFiles(config, this.#machine.disk, { deferred });
    } catch (error) {
      // A failing module does not stop the later ones.
      this.#machine.console.print("cloud-init", (error as Error).message);
    }
  }

  /** Scripts among the parts; what is none is said. */
  #scriptsOf(parts: readonly Part[]): [path: string, text: string][] {
    const found: [string, string][] = [];
    for (const [index, part] of parts.entries()) {
      if (part.type === "script") {
        found.push([`${scripts}/${part.name ?? `part-${String(index + 1).padStart(3, "0")}`}`, part.text]);
      }
      if (part.type !== "unknown" && part.type !== "powershell") continue;
      const firstLine = part.type === "unknown" ? part.firstLine : "#ps1";
      this.#machine.console.print(
        "cloud-init",
        `unhandled non-multipart user-data beginning ${JSON.stringify(firstLine)}`,
      );
    }
    return found;
  }

  /** Returns the variables of early commands. */
  #instance(): Readonly<Record<string, string>> {
    const { id, metadata } = this.#machine.request;
    return { INSTANCE_ID: String(metadata["instance-id"] ?? id) };
  }

  async #script(path: string, text: string, environment: Readonly<Record<string, string>> = {}): Promise<number> {
    const [first = ""] = text.split("\n", 1);
    const print = (line: string): void => this.#machine.console.print("cloud-init", line);
    const [command = "", argument = ""] = first.slice(2).trim().split(/\s+/);
    const dialect = first.endsWith("\r")
      ? undefined
      : this.#shell.dialectOf(command.endsWith("/env") ? argument : command);
    if (dialect === undefined) {
      print(`${path}: Exec format error or no such interpreter: ${JSON.stringify(first)}`);
      return 1;
    }
    const [out, err] = [linePrinter(print), linePrinter(print)];
    const streams: Streams = { input: new Input(), out: out.write, err: err.write };
    const set = /^-[eux]+$/.test(argument) ? `set ${argument};` : "";
    const status = await this.#shell.script(`${set}${text}`, { name: path, dialect, environment, streams });
    out.end();
    err.end();
    return status;
  }
}
