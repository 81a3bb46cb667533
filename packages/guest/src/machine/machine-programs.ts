import { own } from "@capstan/schema";
import { Internet, type InternetPlace, type WayTo } from "../internet/internet.ts";
import { knownPlaces } from "../internet/known-places.ts";
import { kubectl } from "../kubectl/kubectl.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { passage } from "../network/passage.ts";
import { aptPrograms } from "../package-managers/apt.ts";
import { gpg } from "../package-managers/keys.ts";
import { rpmPrograms } from "../package-managers/rpm.ts";
import { archivePrograms } from "../programs/archives.ts";
import { containerPrograms } from "../programs/containers.ts";
import { fetchPrograms } from "../programs/fetch.ts";
import { quietPrograms } from "../programs/quiet-programs.ts";
import { servicePrograms } from "../programs/services.ts";
import { systemPrograms } from "../programs/system.ts";
import { distributions } from "../rke2-k3s/distribution.ts";
import { installDistribution, serviceControl } from "../rke2-k3s/programs.ts";
import { runKubeadm } from "../kubeadm/run-kubeadm.ts";
import { accountPrograms } from "../programs/accounts.ts";
import { filePrograms } from "../unix/programs/files.ts";
import { linePrograms } from "../unix/programs/line-tools.ts";
import { smallPrograms } from "../unix/programs/small-tools.ts";
import { textPrograms } from "../unix/programs/texts.ts";
import type { Program, ProgramContext, UnixProgram, UnixPrograms } from "../unix/program.ts";
import { lenientPrograms } from "./lenient-programs.ts";
import { type InstallDistribution, MachineShell } from "./machine-shell.ts";

export interface MachinePrograms {
  /** Programs of the host, by name; they are on every machine. */
  readonly further: Readonly<Record<string, Program>>;
  readonly places: readonly InternetPlace[];
  readonly kubeadmMs: number;
}

/** `kubeadm`, whose version people ask for in scripts. */
export const kubeadmOf =
  (machine: MachineContext, delays: { readonly kubeadmMs: number }) =>
  async ({ args, write }: Pick<ProgramContext, "args" | "write">): Promise<number> => {
    const version = machine.software.programs.get("kubeadm") ?? "";
    if (args[0] === "version") {
      write(`${args.includes("short") ? version : `kubeadm version: &version.Info{GitVersion:"${version}"}`}\n`);
      return 0;
    }
    if (args[0] === "config" && args[1] === "images") return 0;
    return runKubeadm(machine, args, delays);
  };

const isOfDistribution = (args: readonly string[]): boolean =>
  distributions.some(({ services }) =>
    args.some((word) =>
      [services.agent, services.server].some(
        (name) => [word, `${word}.service`].includes(name) || word.endsWith(`/${name}`),
      ),
    ),
  );

/** `systemctl` of k3s and RKE2, whose services are whole nodes, and of everything else. */
const systemctl =
  (machine: MachineContext, others: UnixProgram, delayMs: number): UnixProgram =>
  (context) =>
    isOfDistribution(context.args) ? serviceControl(machine, context, delayMs) : others(context);

/** The shell of a machine with all that the model knows, or as much of it as a lenient one is held to. */
export const shellOf = (machine: MachineContext, options: MachinePrograms): MachineShell => {
  const { further, kubeadmMs, places } = options;
  const { clock, disk, lenient, software } = machine;
  const wayTo: WayTo = (url) => passage(machine, url);
  const internet = new Internet([...places, ...knownPlaces], wayTo);
  const host = { clock, disk, internet, software, wayTo };
  const services = servicePrograms(host);
  const control = own(services, "systemctl");
  const always: UnixPrograms = {
    ...quietPrograms,
    ...filePrograms,
    ...textPrograms,
    ...linePrograms,
    ...smallPrograms,
    ...accountPrograms,
    ...archivePrograms,
    ...fetchPrograms(host),
    ...systemPrograms(machine),
    ...(control !== undefined && { systemctl: systemctl(machine, control, kubeadmMs) }),
    kubeadm: kubeadmOf(machine, { kubeadmMs }),
  };
  const strict: UnixPrograms = {
    ...aptPrograms(host),
    ...rpmPrograms(host),
    ...containerPrograms(host),
    ...services,
    gpg,
    kubectl: kubectl(machine, internet),
  };
  const install: InstallDistribution = (name, context) =>
    installDistribution(machine, name, { context, delayMs: kubeadmMs });
  const programs = lenient ? lenientPrograms(always, install) : { ...strict, ...always };
  return new MachineShell({ machine, programs: { ...programs, ...further }, installDistribution: install });
};
