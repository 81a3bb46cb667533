import { availableParallelism, totalmem } from "node:os";
import { silentLogger } from "@capstan/contract";
import { fakeClock, type FakeClock, seededRandom } from "@capstan/testing";
import { Console } from "../../src/boot/console.ts";
import { Disk } from "../../src/boot/disk.ts";
import { runKubeadm } from "../../src/kubeadm/run-kubeadm.ts";
import type { MachineContext } from "../../src/node/machine-context.ts";
import { programFile } from "../../src/unix/program.ts";
import { newSoftware } from "../../src/software/machine-software.ts";
import { kubeletEnabled, nodeName, type Scenario } from "./scenario.ts";

const tools = ["losetup", "mount", "cp", "ip", "iptables", "nsenter", "conntrack", "ethtool", "tc", "touch", "crictl"];
const apiServerManifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";

type ModelMachine = MachineContext & { readonly clock: FakeClock };

/** The machine of a scenario. */
export const modelMachine = (scenario: Scenario & { readonly kubelet: string }, kubeadm: string): ModelMachine => {
  const clock = fakeClock();
  const disk = new Disk();
  const software = newSoftware(disk);
  const install = (name: string, version: string): void =>
    disk.write(`/usr/bin/${name}`, programFile(name, version), { permissions: "0755" });
  const { ports = [], without = [], runtime = "ready" } = scenario;
  for (const name of tools.filter((each) => !without.includes(each))) install(name, "v1.0.0");
  install("kubeadm", kubeadm);
  if (!without.includes("kubelet")) install("kubelet", scenario.kubelet);
  install("containerd", runtime === "no-runtime-config" ? "v1.7.24" : "v2.1.4");
  for (const [name, state] of Object.entries(scenario.services ?? kubeletEnabled)) {
    software.services.set(name, { ...state });
  }
  if (runtime !== "missing") software.services.set("containerd", { enabled: true, running: true });
  if (runtime === "no-cri") disk.write("/etc/containerd/config.toml", 'disabled_plugins = ["cri"]\n');
  software.settings.set("net.ipv4.ip_forward", scenario.forwarding === false ? "0" : "1");
  software.swap = scenario.swap === true;
  disk.write("/run/kubeadm.yaml", scenario.configuration);
  for (const path of scenario.files ?? []) disk.write(path, path === apiServerManifest ? '{"bindPort":6443}' : "");
  // The kernel of the model keeps a share of the memory of the hardware.
  const memoryMiB = Math.ceil((scenario.memoryMB ?? totalmem() / 2 ** 20) / 0.96);
  return {
    request: {
      id: "7",
      metadata: {},
      userData: "",
      address: "10.0.0.5",
      providerID: "",
      hardware: { cpus: scenario.cpus ?? availableParallelism(), memoryMiB },
    },
    disk,
    software,
    clock,
    lenient: false,
    console: new Console({ clock }),
    random: seededRandom(1),
    log: silentLogger,
    signal: new AbortController().signal,
    hostname: scenario.hasName === false ? "other" : nodeName,
    askedVersion: () => Promise.resolve(undefined),
    ...(ports.includes(10250) && { stopKubelet: () => undefined }),
    ...(ports.includes(2379) && { etcd: {} }),
  } as unknown as ModelMachine;
};

/** Waits for what happens on a machine, in its time. */
export const runOn = async <T>({ clock }: ModelMachine, action: Promise<T>): Promise<T> => {
  let over = false;
  const ended = action.finally(() => {
    over = true;
  });
  ended.catch(() => undefined);
  await clock.advanceUntil(() => over, { stepMs: 10_000 });
  return ended;
};

/** What the model's kubeadm prints in a scenario, line by line. */
export const modelPreflight = async (
  scenario: Scenario & { readonly kubelet: string },
  kubeadm: string,
): Promise<readonly string[]> => {
  const machine = modelMachine(scenario, kubeadm);
  const args = [scenario.command, "phase", "preflight", "--config", "/run/kubeadm.yaml", ...(scenario.args ?? [])];
  await runOn(machine, runKubeadm(machine, args, { kubeadmMs: 0 }));
  return machine.console.lines.map((line) => line.replace(/^\S+ kubeadm: /, ""));
};
