import type { Clock, Logger, Random } from "@capstan/contract";
import { own } from "@capstan/schema";
import type { GuestRunOptionsV1, GuestRunV1 } from "@capstan/contract/v1";
import { mergeCloudConfigs, parseCloudConfig, writeFiles, type CloudConfig } from "../boot/cloud-config.ts";
import { Console } from "../boot/console.ts";
import { Disk } from "../boot/disk.ts";
import { readUserData } from "../boot/user-data.ts";
import { isControlPlane, readServed, serveControlPlane } from "../kubeadm/control-plane.ts";
import { kubeadmInit } from "../kubeadm/init.ts";
import { startEtcd } from "../kubeadm/local-etcd.ts";
import { kubeadmJoin } from "../kubeadm/join.ts";
import { installedVersion } from "../kubeadm/kubernetes-version.ts";
import { kubeadmReset } from "../kubeadm/reset.ts";
import { readNode } from "../node/saved-node.ts";
import type { GuestEtcd } from "../etcd/etcd-process.ts";
import { distributions } from "../rke2-k3s/distribution.ts";
import { rke2K3sPrograms } from "../rke2-k3s/programs.ts";
import { restartServer } from "../rke2-k3s/server.ts";
import { curl } from "../shell/curl.ts";
import { runScript } from "../shell/run-script.ts";
import { basePrograms, runCommand, type Program, type ShellOptions } from "../shell/shell.ts";
import { textPrograms } from "../shell/text-programs.ts";
import { runPowerShell } from "../windows/powershell.ts";
import { diskPath } from "../windows/windows-path.ts";
import type { WorkloadRegistry } from "../workload/workload-registry.ts";
import type { BootRequest, MachineState } from "../boot/boot-request.ts";
import { startKubelet } from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";

/** Written by cloud-init when its last stage is over; its presence means that a boot is not the first. */
const bootFinished = "/var/lib/cloud/instance/boot-finished";

const cloudInitLog = "/var/log/cloud-init-output.log";
const cloudbaseInitLog = "/Program Files/Cloudbase Solutions/Cloudbase-Init/log/cloudbase-init.log";
/** What cloudbase-init writes there when it is over. */
const cloudbaseInitOver = "Plugins execution done\n";

const phases: Readonly<Record<string, (machine: MachineContext, path: string) => Promise<void>>> = {
  init: kubeadmInit,
  join: kubeadmJoin,
  reset: kubeadmReset,
};

export interface GuestEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly workloads: WorkloadRegistry;
  /** Virtual milliseconds between power-on and cloud-init, and that kubeadm takes. */
  readonly delays: { readonly bootMs: number; readonly kubeadmMs: number };
  /** The version of Kubernetes that a machine's image has. */
  readonly versionOf: (machine: BootRequest) => Promise<string | undefined>;
  /** Further programs for bootstrap commands, by name. */
  readonly programs: Readonly<Record<string, Program>>;
}

/** One machine from power-on to power-off. */
export class GuestMachine {
  readonly request: BootRequest;
  readonly disk: Disk;
  readonly console: Console;
  readonly #environment: GuestEnvironment;
  readonly #off = new AbortController();
  #state: MachineState = "booting";
  #done: Promise<void> = Promise.resolve();
  #context: MachineContext | undefined;
  /** Resolves when the system is up, or the machine off. */
  readonly #up = Promise.withResolvers<MachineContext | undefined>();

  constructor(request: BootRequest, disk: Disk, environment: GuestEnvironment) {
    this.request = request;
    this.disk = disk;
    this.#environment = environment;
    this.console = new Console({ clock: environment.clock, mirror: (line) => this.#log(line) });
  }

  /** What the machine prints while it boots for the first time is cloud-init's log as well. */
  #log(line: string): void {
    this.request.console?.(line);
    if (this.#state === "booting" && this.disk.stat(bootFinished) === undefined) {
      this.disk.append(this.#isWindows ? cloudbaseInitLog : cloudInitLog, `${line}\n`);
    }
  }

  get #isWindows(): boolean {
    return String(this.request.metadata["os-type"]).toLowerCase() === "windows";
  }

  get state(): MachineState {
    return this.#state;
  }

  /** The member of etcd on it, if there is one. */
  get etcd(): GuestEtcd | undefined {
    return this.#context?.etcd;
  }

  /** Resolves when the boot is over, however it ended; never rejects. */
  powerOn(): Promise<void> {
    this.#done = this.#boot().then(
      () => this.#finish("running"),
      (error: unknown) => {
        if (this.#off.signal.aborted) return this.#finish("off");
        this.console.print("cloud-init", `failed: ${(error as Error).message}`);
        this.#environment.log.warn("a guest did not boot", {
          machine: this.request.id,
          error: (error as Error).message,
        });
        return this.#finish("failed");
      },
    );
    return this.#done;
  }

  /** What a script leaves behind that an agent runs once the system is up; `undefined` when the machine goes off before it has ended. */
  async run(
    script: string,
    { blank = false, hidden = [], ...place }: GuestRunOptionsV1 = {},
  ): Promise<GuestRunV1 | undefined> {
    const machine = await this.#up.promise;
    if (machine === undefined) return undefined;
    const { clock } = machine;
    const disk = blank ? new Disk() : machine.disk.hiding(hidden);
    const { signal } = this.#off;
    try {
      if (this.#isWindows) {
        return await runPowerShell(script, { clock, disk, signal, programs: this.#programs(machine) });
      }
      return await runScript(script, { ...place, clock, disk, signal, programs: this.#programs(machine) });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async powerOff(options: { readonly destroy: boolean }): Promise<void> {
    this.#off.abort();
    this.#up.resolve(undefined);
    await this.#done;
    await this.#environment.workloads.leave(this.request.id, options);
    this.#state = "off";
  }

  #finish(state: MachineState): void {
    if (this.#state !== "off") this.#state = state;
  }

  async #boot(): Promise<void> {
    const { clock, delays } = this.#environment;
    await clock.sleep(delays.bootMs, { signal: this.#off.signal });
    const hostname = this.request.metadata["local-hostname"] ?? this.request.metadata["label"] ?? this.request.id;
    const machine: MachineContext = {
      ...this.#environment,
      request: this.request,
      disk: this.disk,
      console: this.console,
      signal: this.#off.signal,
      hostname: String(hostname),
      askedVersion: () => this.#environment.versionOf(this.request),
    };
    this.#context = machine;
    this.#up.resolve(machine);
    if (this.disk.stat(bootFinished) === undefined) await this.#firstBoot(machine);
    else await this.#laterBoot(machine);
  }

  async #firstBoot(machine: MachineContext): Promise<void> {
    const { console: output, disk, clock, signal } = machine;
    const program = this.#isWindows ? "cloudbase-init" : "cloud-init";
    output.print(program, `running 'init' of instance ${this.request.id}`);
    const log = (line: string): void => output.print(program, line);
    const parts = await readUserData(new Uint8Array(Buffer.from(this.request.userData, "base64")), {
      metadata: this.request.metadata,
      clock,
      signal,
      log,
    });
    machine.installed = installedVersion(parts.flatMap((part) => ("text" in part ? [part.text] : [])));
    const shell: ShellOptions = { disk, console: output, programs: this.#programs(machine), signal };
    let failures = 0;
    const configs = parts.filter((part) => part.type === "cloud-config");
    const merged = mergeCloudConfigs(configs.map(({ text, merge }) => ({ config: parseCloudConfig(text), merge })));
    failures += await this.#applyCloudConfig(merged, shell);
    for (const part of parts) {
      if (part.type === "powershell" && this.#isWindows) failures += await this.#powerShell(part.text, shell, clock);
      if (part.type === "unknown" || (part.type === "powershell" && !this.#isWindows)) {
        const firstLine = part.type === "unknown" ? part.firstLine : "#ps1";
        output.print(program, `unhandled non-multipart user-data beginning ${JSON.stringify(firstLine)}`);
      }
      if (part.type !== "script") continue;
      for (const line of part.text.split("\n").slice(1)) failures += (await runCommand(line, shell)) === 0 ? 0 : 1;
    }
    if (this.#isWindows) disk.append(cloudbaseInitLog, cloudbaseInitOver);
    disk.write(bootFinished, "");
    output.print(program, failures === 0 ? "finished" : `finished; scripts-user: ${failures} commands failed`);
  }

  async #applyCloudConfig(config: CloudConfig, shell: ShellOptions): Promise<number> {
    if (config.ignored.length > 0) {
      shell.console.print("cloud-init", `modules without effect here: ${config.ignored.join(", ")}`);
    }
    for (const command of config.bootcmd) await runCommand(command, shell);
    try {
      const files = this.#isWindows
        ? config.writeFiles.map((file) => ({ ...file, path: diskPath(file.path) }))
        : config.writeFiles;
      writeFiles({ ...config, writeFiles: files }, shell.disk);
    } catch (error) {
      // A failing module does not stop the later ones.
      shell.console.print("cloud-init", (error as Error).message);
    }
    let failures = 0;
    for (const command of config.runcmd) {
      const isPowerShell = this.#isWindows && typeof command === "string" && /^\s*(?:powershell|pwsh)\b/i.test(command);
      if (isPowerShell) failures += await this.#powerShell(command, shell, this.#environment.clock);
      else failures += (await runCommand(command, shell)) === 0 ? 0 : 1;
    }
    return failures;
  }

  /** What a command of PowerShell prints is on the console; 1 where it has failed. */
  async #powerShell(script: string, { disk, programs, signal }: ShellOptions, clock: Clock): Promise<number> {
    const { exitCode, stdout, stderr } = await runPowerShell(script, { clock, disk, programs, signal });
    for (const line of `${stdout}${stderr}`.split("\n")) if (line !== "") this.console.print("powershell", line);
    return exitCode === 0 ? 0 : 1;
  }

  async #laterBoot(machine: MachineContext): Promise<void> {
    await restartServer(machine, distributions);
    const node = readNode(this.disk);
    if (node === undefined) return;
    startKubelet(machine, node.authority, node);
    if (!isControlPlane(machine)) return;
    const served = readServed(machine);
    const workload = await serveControlPlane(machine, served, node.registration, { fresh: false });
    await startEtcd(machine, served, workload, node.registration.name);
    machine.console.print("kubelet", "control plane started again");
  }

  #programs(machine: MachineContext): Readonly<Record<string, Program>> {
    return {
      ...basePrograms,
      ...textPrograms,
      ...rke2K3sPrograms(machine, { curl: curl(machine.clock) }, this.#environment.delays.kubeadmMs),
      kubeadm: (context) => this.#kubeadm(machine, context.args),
      hostnamectl: ({ args }) => {
        const name = args[args.indexOf("set-hostname") + 1] ?? args[args.indexOf("hostname") + 1];
        if (args.length > 1 && name !== undefined) machine.hostname = name;
        return 0;
      },
      hostname: ({ args, write }) => {
        if (args.length === 0) write(`${machine.hostname}\n`);
        return 0;
      },
      ...this.#environment.programs,
    };
  }

  async #kubeadm(machine: MachineContext, args: readonly string[]): Promise<number> {
    const path = args[args.indexOf("--config") + 1] ?? "";
    const run = own(phases, args[0] ?? "");
    if (run === undefined) {
      machine.console.print("kubeadm", `${args[0] ?? ""}: not modelled, taken as success`);
      return 0;
    }
    await machine.clock.sleep(this.#environment.delays.kubeadmMs, { signal: machine.signal });
    try {
      await run(machine, path);
      return 0;
    } catch (error) {
      machine.signal.throwIfAborted();
      machine.console.print("kubeadm", `error execution phase: ${(error as Error).message}`);
      return 1;
    }
  }
}
