import { type CloudConfig, readCloudConfigs, writeFiles, type Command } from "../boot/cloud-config.ts";
import type { Part } from "../boot/user-data.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { Program } from "../unix/program.ts";
import { Input } from "../unix/session.ts";
import { runPowerShell } from "../windows/powershell.ts";
import { diskPath } from "../windows/windows-path.ts";
import { linePrinter, quoted } from "./boot-scripts.ts";
import type { MachineShell } from "./machine-shell.ts";

/** Where it keeps its log. */
export const cloudbaseInitLog = "/Program Files/Cloudbase Solutions/Cloudbase-Init/log/cloudbase-init.log";
/** Line that cloudbase-init writes there when it ends. */
const over = "Plugins execution done\n";

const isPowerShell = (command: Command): command is string =>
  typeof command === "string" && /^\s*(?:powershell|pwsh)\b/i.test(command);

/** Runs what cloudbase-init finds in the user-data of a first boot of Windows. */
export class CloudbaseInit {
  readonly #machine: MachineContext;
  /** Plays the command prompt. */
  readonly #shell: MachineShell;
  readonly #programs: Readonly<Record<string, Program>>;

  constructor(machine: MachineContext, shell: MachineShell, programs: Readonly<Record<string, Program>>) {
    this.#machine = machine;
    this.#shell = shell;
    this.#programs = programs;
  }

  /** Resolves with how many commands have failed. */
  async run(parts: readonly Part[]): Promise<number> {
    const configs = parts.filter((part) => part.type === "cloud-config");
    let failures = await this.#apply(await readCloudConfigs(configs, (line) => this.#say(line)));
    for (const part of parts) {
      if (part.type === "unknown") {
        this.#say(`unhandled non-multipart user-data beginning ${JSON.stringify(part.firstLine)}`);
      }
      if (part.type === "powershell") failures += await this.#powerShell(part.text);
      if (part.type !== "script" && part.type !== "boothook") continue;
      failures += await this.#prompt(part.text.split("\n").slice(1).join("\n"));
    }
    this.#machine.disk.append(cloudbaseInitLog, over);
    return failures;
  }

  async #apply(config: CloudConfig): Promise<number> {
    const { disk } = this.#machine;
    if (config.ignored.length > 0) this.#say(`modules without effect here: ${config.ignored.join(", ")}`);
    for (const command of config.bootcmd) await this.#command(command);
    try {
      const files = config.writeFiles.map((file) => ({ ...file, path: diskPath(file.path) }));
      writeFiles({ ...config, writeFiles: files }, disk);
      writeFiles({ ...config, writeFiles: files }, disk, { deferred: true });
    } catch (error) {
      // A failing module does not stop the later ones.
      this.#say((error as Error).message);
    }
    for (const failure of config.failures) this.#say(failure);
    let failures = 0;
    for (const command of config.runcmd) failures += await this.#command(command);
    return failures;
  }

  /** 1 where it has failed. */
  #command(command: Command): Promise<number> {
    if (isPowerShell(command)) return this.#powerShell(command);
    return this.#prompt(typeof command === "string" ? command : command.map(quoted).join(" "));
  }

  async #prompt(text: string): Promise<number> {
    const printer = linePrinter((line) => this.#say(line));
    const streams = { input: new Input(), out: printer.write, err: printer.write };
    const status = await this.#shell.script(text, { name: "cmd", dialect: "dash", streams });
    printer.end();
    return status === 0 ? 0 : 1;
  }

  /** Runs a PowerShell script and prints its output on the console. */
  async #powerShell(script: string): Promise<number> {
    const { clock, console: output, disk, signal } = this.#machine;
    const { exitCode, stdout, stderr } = await runPowerShell(script, { clock, disk, programs: this.#programs, signal });
    for (const line of `${stdout}${stderr}`.split("\n")) if (line !== "") output.print("powershell", line);
    return exitCode === 0 ? 0 : 1;
  }

  #say(line: string): void {
    this.#machine.console.print("cloudbase-init", line);
  }
}
