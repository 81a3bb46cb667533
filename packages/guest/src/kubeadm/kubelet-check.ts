import type { MachineContext } from "../node/machine-context.ts";
import type { NodeRegistration } from "../node/node-registration.ts";
import { kubeadmError, object, type Json } from "./configuration.ts";
import { runtimeStateAt, socketOf } from "./preflight/runtime-socket.ts";

/** How long kubeadm waits for the kubelet. */
const healthyWithinMs = 240_000;

const healthz = "http://127.0.0.1:10248/healthz";

interface KubeletSettings {
  /** The cluster's KubeletConfiguration. */
  readonly kubelet: Json;
  readonly registration: NodeRegistration;
  /** What the registration was read from. */
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

/** Starts the kubelet as kubeadm does, and waits until it is healthy. Throws `guest.kubeadm_failed` when it is not within four minutes. */
export const checkKubelet = async (
  machine: MachineContext,
  settings: KubeletSettings,
  phase: "wait-control-plane" | "kubelet-start",
): Promise<void> => {
  const { clock, console: output, lenient, signal } = machine;
  if (lenient) return;
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
