import type { Clock, Logger, Random } from "@capstan/contract";
import type { GuestRunOptionsV1, GuestRunV1 } from "@capstan/contract/v1";
import { Console } from "../boot/console.ts";
import { Disk, type DiskBase } from "../boot/disk.ts";
import { readUserData } from "../boot/user-data.ts";
import { isControlPlane, readServed, serveControlPlane } from "../kubeadm/control-plane.ts";
import { startEtcd } from "../kubeadm/local-etcd.ts";
import { installedVersion } from "../kubeadm/kubernetes-version.ts";
import { readNode } from "../node/saved-node.ts";
import type { GuestEtcd } from "../etcd/etcd-process.ts";
import { distributions } from "../rke2-k3s/distribution.ts";
import { restartServer } from "../rke2-k3s/server.ts";
import type { Images } from "../images/images.ts";
import type { InternetPlace } from "../internet/internet.ts";
import { newSoftware, startSoftware } from "../software/machine-software.ts";
import { curlUpload } from "../programs/upload.ts";
import type { Program } from "../unix/program.ts";
import { Input } from "../unix/session.ts";
import { BootScripts } from "./boot-scripts.ts";
import type { MachineShell } from "./machine-shell.ts";
import { passage } from "../network/passage.ts";
import { CloudbaseInit, cloudbaseInitLog } from "./cloudbase-init.ts";
import { kubeadmOf, shellOf } from "./machine-programs.ts";
import { kernelFiles } from "../software/kernel-files.ts";
import { runPowerShell } from "../windows/powershell.ts";
import type { WorkloadRegistry } from "../workload/workload-registry.ts";
import type { BootRequest, MachineState } from "../boot/boot-request.ts";
import { startKubelet } from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";

/** Written by cloud-init when its last stage is over; its presence means that a boot is not the first. */
const bootFinished = "/var/lib/cloud/instance/boot-finished";

/** Documents report there that they have succeeded; those of tests do not make it first. */
const sentinelFolders = ["/run", "/run/cluster-api"];

const cloudInitLog = "/var/log/cloud-init-output.log";

export interface GuestEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly workloads: WorkloadRegistry;
  /** Virtual milliseconds between power-on and cloud-init, and that kubeadm takes. */
  readonly delays: { readonly bootMs: number; readonly kubeadmMs: number };
  /** The version of Kubernetes that a machine's image has. */
  readonly versionOf: (machine: BootRequest) => Promise<string | undefined>;
  /** True if the machine has every program and checks nothing: see `GuestHostOptions`. */
  readonly lenient: boolean | undefined;
  /** Addresses of the internet beside those that the model knows. */
  readonly places: readonly InternetPlace[];
  readonly images: Images;
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

  /** Passes a line of the console to the cloud; during the first boot, also appends it to the log of cloud-init or cloudbase-init. */
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

  /** Runs a script as an agent does once the system is up. Resolves with its result; `undefined` if the machine goes off before it ends. */
  async run(
    script: string,
    { blank = false, hidden = [], ...place }: GuestRunOptionsV1 = {},
  ): Promise<GuestRunV1 | undefined> {
    const machine = await this.#up.promise;
    if (machine === undefined) return undefined;
    const disk = blank ? this.#blankDisk(machine) : machine.disk.hiding(hidden);
    const { signal } = this.#off;
    try {
      if (this.#isWindows) {
        const { clock } = machine;
        return await runPowerShell(script, { clock, disk, signal, programs: this.#windowsPrograms(machine) });
      }
      return await this.#runScript(script, machine, { ...place, disk });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** As if nothing had happened on the machine yet. */
  #blankDisk(machine: MachineContext): Disk {
    const disk = new Disk();
    disk.mount(this.#base(machine));
    return disk;
  }

  async #runScript(
    script: string,
    machine: MachineContext,
    { directory, disk, environment }: GuestRunOptionsV1 & { readonly disk: Disk },
  ): Promise<GuestRunV1> {
    const shell = this.#shell(machine);
    let [stdout, stderr] = ["", ""];
    const exitCode = await shell.script(script, {
      name: "sh",
      dialect: shell.dialectOf("/bin/sh") ?? "bash",
      disk,
      ...(directory !== undefined && { directory }),
      ...(environment !== undefined && { environment }),
      streams: {
        input: new Input(),
        out: (text) => void (stdout += text),
        err: (text) => void (stderr += text),
      },
    });
    return { exitCode, stdout, stderr };
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
      lenient: this.#isWindows || (this.#environment.lenient ?? this.request.image === undefined),
      request: this.request,
      disk: this.disk,
      console: this.console,
      signal: this.#off.signal,
      hostname: String(hostname),
      software: newSoftware(this.disk),
      askedVersion: () => this.#environment.versionOf(this.request),
    };
    this.#context = machine;
    this.#mountImage(machine);
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
      reaches: (url) => !URL.canParse(url) || passage(machine, new URL(url)) === "open",
    });
    machine.installed = installedVersion(parts.flatMap((part) => ("text" in part ? [part.text] : [])));
    const shell = this.#shell(machine);
    const failures = this.#isWindows
      ? await new CloudbaseInit(machine, shell, this.#windowsPrograms(machine)).run(parts)
      : await new BootScripts(machine, shell).run(parts);
    disk.write(bootFinished, "");
    output.print(program, failures === 0 ? "finished" : `finished; scripts-user: ${failures} failed`);
  }

  #shell(machine: MachineContext): MachineShell {
    const { delays, places, programs } = this.#environment;
    return shellOf(machine, { further: programs, places, kubeadmMs: delays.kubeadmMs });
  }

  /** Returns the base disk of the machine's image; on a lenient machine, with the folder in which bootstrapping reports its success. */
  #base({ lenient }: Pick<MachineContext, "lenient">): DiskBase {
    const { base } = this.#environment.images.get(this.request.image ?? "");
    if (this.#isWindows) return { files: new Map(), folders: new Set(sentinelFolders) };
    return lenient ? { ...base, folders: new Set([...base.folders, ...sentinelFolders]) } : base;
  }

  /** Puts the image below what is written on the disk, and starts what starts with the machine. */
  #mountImage(machine: MachineContext): void {
    this.disk.mount(this.#base(machine));
    if (this.#isWindows) return;
    const { image: name = "" } = this.request;
    const { image, isKnown } = this.#environment.images.get(name);
    if (!isKnown && !machine.lenient) {
      machine.console.print(
        "cloud-init",
        `the model does not know the image ${JSON.stringify(name)}: it has ${image.system} ${image.release} and nothing else`,
      );
    }
    startSoftware(machine.software, this.disk);
    this.disk.showKernel(kernelFiles(machine.software));
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

  /** Returns the programs that are not cmdlets. */
  #windowsPrograms(machine: MachineContext): Readonly<Record<string, Program>> {
    const { delays, programs } = this.#environment;
    return { kubeadm: kubeadmOf(machine, delays), curl: curlUpload(machine.clock), ...programs };
  }
}
