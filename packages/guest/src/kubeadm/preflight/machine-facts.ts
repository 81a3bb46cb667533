import type { MachineContext } from "../../node/machine-context.ts";
import { settingOf } from "../../software/kernel-files.ts";
import { isControlPlane, readServed } from "../control-plane.ts";
import { ports } from "./checks.ts";
import type { PreflightFacts } from "./facts.ts";
import { runtimeStateAt } from "./runtime-socket.ts";

/** Hardware assumed for a machine whose boot request has none. */
const enough = { cpus: 4, memoryMiB: 8192 } as const;

/** The kernel and its tables of pages take about this share of the memory before a program sees it. */
const keptByKernel = 0.04;

const takenPorts = (machine: MachineContext): ReadonlySet<number> =>
  new Set([
    ...(machine.stopKubelet === undefined ? [] : [ports.kubelet]),
    ...(isControlPlane(machine) ? [readServed(machine).bindPort, ports.scheduler, ports.controllerManager] : []),
    ...(machine.etcd === undefined ? [] : [ports.etcd, ports.etcdPeer]),
  ]);

const isInHosts = (hosts: string, name: string): boolean =>
  hosts.split("\n").some((line) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1).includes(name));

const lookup = ({ hostname, disk, request }: MachineContext, name: string): string | undefined => {
  if (name === hostname || isInHosts(disk.text("/etc/hosts") ?? "", name)) return undefined;
  return request.resolve?.(name) === undefined ? `lookup ${name} on 127.0.0.53:53: server misbehaving` : undefined;
};

/** Returns the facts that kubeadm's checks find on a simulated machine. */
export const factsOf = (machine: MachineContext): PreflightFacts => {
  const { disk, software } = machine;
  const { cpus, memoryMiB } = machine.request.hardware ?? enough;
  const taken = takenPorts(machine);
  return {
    kubeadmVersion: software.programs.get("kubeadm") ?? "",
    kubeletVersion: software.programs.get("kubelet"),
    cpus,
    memoryMB: Math.floor(memoryMiB * (1 - keptByKernel)),
    isSwapOn: software.swap,
    disk,
    setting: (key) => settingOf(software, key),
    hasProgram: (name) => software.programs.has(name),
    service: (name) => software.services.get(name),
    isPortTaken: (port) => taken.has(port),
    runtimeAt: (socket) => runtimeStateAt(socket, software, disk),
    lookup: (name) => lookup(machine, name),
  };
};
