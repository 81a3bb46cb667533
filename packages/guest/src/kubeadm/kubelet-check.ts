import { stringify } from "yaml";
import type { MachineContext } from "../node/machine-context.ts";
import type { NodeRegistration } from "../node/node-registration.ts";
import { kubeadmError, object, type Json } from "./configuration.ts";
import { minorOf } from "./preflight/version.ts";
import { runtimeStateAt, socketOf } from "./preflight/runtime-socket.ts";

/** Time that kubeadm waits for a healthy kubelet. */
const healthyWithinMs = 240_000;

const healthz = "http://127.0.0.1:10248/healthz";

/** Folder of the kubelet's state and of the settings that kubeadm writes for it. */
export const kubeletFolder = "/var/lib/kubelet/";

interface KubeletSettings {
  /** The cluster's KubeletConfiguration. */
  readonly kubelet: Json;
  readonly registration: NodeRegistration;
  /** `nodeRegistration` of the kubeadm configuration, which `registration` was read from. */
  readonly given: unknown;
}

/** Why a kubelet with this configuration ends as soon as it has begun; `undefined`: it runs. */
const problemOf = (
  { software, disk }: MachineContext,
  { kubelet, registration, given }: KubeletSettings,
): string | undefined => {
  const socket = socketOf(software, object(given)["criSocket"]);
  const runtime = runtimeStateAt(socket, software, disk);
  if (runtime === "missing" || runtime === "no-cri") {
    return `failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint "${socket}": rpc error`;
  }
  const toleratesSwap = registration.kubeletArgs["fail-swap-on"] === "false" || kubelet["failSwapOn"] === false;
  if (!software.swap || toleratesSwap) return undefined;
  return "failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false";
};

const help = `
Unfortunately, an error has occurred, likely caused by:
	- The kubelet is not running
	- The kubelet is unhealthy due to a misconfiguration of the node in some way (required cgroups disabled)

If you are on a systemd-powered system, you can try to troubleshoot the error with the following commands:
	- 'systemctl status kubelet'
	- 'journalctl -xeu kubelet'
`;

/** The flags that kubeadm starts the kubelet with. Taints are the Node's from the beginning where it joins; an init sets them later. */
const flagsOf = (
  { hostname }: MachineContext,
  { registration }: KubeletSettings,
  phase: "wait-control-plane" | "kubelet-start",
): readonly string[] => {
  const { kubeletArgs, name } = registration;
  const taints = registration.taints.map(
    ({ effect, key, value = "" }) => `${String(key)}${value === "" ? "" : `=${String(value)}`}:${String(effect)}`,
  );
  const own = {
    ...(name !== hostname && { "hostname-override": name }),
    ...(phase === "kubelet-start" && taints.length > 0 && { "register-with-taints": taints.join(",") }),
  };
  const all = [...Object.entries(own).filter(([flag]) => !(flag in kubeletArgs)), ...Object.entries(kubeletArgs)];
  return all.map(([flag, value]) => `--${flag}=${value}`);
};

const writeSettings = (
  machine: MachineContext,
  settings: KubeletSettings,
  phase: "wait-control-plane" | "kubelet-start",
): void => {
  const { console: output, disk, software } = machine;
  const { given, kubelet } = settings;
  const write = (name: string, what: string, text: string): void => {
    output.print("kubeadm", `[kubelet-start] Writing kubelet ${what} to file "${kubeletFolder}${name}"`);
    disk.write(`${kubeletFolder}${name}`, text);
  };
  const flags = `KUBELET_KUBEADM_ARGS="${flagsOf(machine, settings, phase).join(" ")}"\n`;
  write("kubeadm-flags.env", "environment file with flags", flags);
  if (minorOf(software.programs.get("kubeadm") ?? "") >= 34) {
    const socket = socketOf(software, object(given)["criSocket"]);
    write("instance-config.yaml", "configuration", `containerRuntimeEndpoint: "${socket}"\n`);
  }
  write("config.yaml", "configuration", stringify(kubelet));
};

/** Writes its settings and starts the kubelet as kubeadm does, and waits until it is healthy. Throws `guest.kubeadm_failed` when it is not within four minutes. */
export const checkKubelet = async (
  machine: MachineContext,
  settings: KubeletSettings,
  phase: "wait-control-plane" | "kubelet-start",
): Promise<void> => {
  const { clock, console: output, lenient, signal } = machine;
  if (lenient) return;
  writeSettings(machine, settings, phase);
  output.print("kubeadm", "[kubelet-start] Starting the kubelet");
  output.print("kubeadm", `[kubelet-check] Waiting for a healthy kubelet at ${healthz}. This can take up to 4m0s`);
  const problem = problemOf(machine, settings);
  if (problem === undefined) return;
  output.print("kubelet", problem);
  await clock.sleep(healthyWithinMs, { signal });
  output.print("kubeadm", "[kubelet-check] The kubelet is not healthy after 4m0s");
  output.print("kubeadm", help);
  throw kubeadmError(
    `failed while waiting for the kubelet to start: The HTTP call equal to 'curl -sSL ${healthz}' returned error: Get "${healthz}": dial tcp 127.0.0.1:10248: connect: connection refused`,
    { phase },
  );
};
