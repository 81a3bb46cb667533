import { check, type Check } from "./check.ts";
import type { PreflightFacts, RuntimeState } from "./facts.ts";
import { minorOf } from "./version.ts";

const pathOf = (socket: string): string => socket.replace(/^unix:\/\//, "");

/** Returns the error of a CRI client that connects to the socket. */
const unanswered = (state: Exclude<RuntimeState, "ready" | "no-runtime-config">, socket: string): string => {
  const start = `validate CRI v1 runtime API for endpoint "${socket}": rpc error: code = `;
  if (state === "no-cri") return `${start}Unimplemented desc = unknown service runtime.v1.RuntimeService`;
  return `${start}Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${pathOf(socket)}: connect: no such file or directory"`;
};

const outdated = (removed: number): string =>
  `You must update your container runtime to a version that supports the CRI method RuntimeConfig. Falling back to using cgroupDriver from kubelet config will be removed in 1.${removed}. For more information, see https://git.k8s.io/enhancements/keps/sig-node/4033-group-driver-detection-over-cri`;

interface RuntimeProblem {
  readonly checks: readonly Check[];
  /** Said beside the checks by a kubeadm that continues without a runtime. */
  readonly logged?: string;
  /** Why images cannot be pulled. */
  readonly unreachable?: string;
}

/**
 * Returns the problems of the container runtime that a version of kubeadm finds: up to v1.30, crictl asks the runtime; v1.31 to v1.34 only
 * warn if it does not answer, and fail when they have to pull images; since v1.35, two checks fail.
 */
export const runtimeProblem = (facts: PreflightFacts, socket: string): RuntimeProblem => {
  const minor = minorOf(facts.kubeadmVersion);
  const state = facts.runtimeAt(socket);
  const names = minor >= 35 ? ["CRI", "ContainerRuntimeVersion"] : ["CRI"];
  if (state === "ready" || (state === "no-runtime-config" && minor < 35)) {
    return { checks: names.map((name) => check(name)) };
  }
  if (state === "no-runtime-config") {
    const warnings = [outdated(minor === 35 ? 36 : 37)];
    return { checks: [check("CRI"), check("ContainerRuntimeVersion", { warnings })] };
  }
  const why = unanswered(state, socket);
  if (minor >= 35) {
    const unreachable = `could not connect to the container runtime: failed to create new CRI runtime service: validate service connection: ${why}`;
    return { checks: names.map((name) => check(name, { errors: [unreachable] })), unreachable };
  }
  if (minor >= 31) {
    const unreachable = `failed to create new CRI runtime service: validate service connection: ${why}`;
    const logged = `[preflight] WARNING: Couldn't create the interface used for talking to the container runtime: ${unreachable}`;
    return { checks: [], logged, unreachable };
  }
  const said = `level=fatal msg=${JSON.stringify(`validate service connection: ${why}`)}\n, error: exit status 1`;
  return {
    checks: [check("CRI", { errors: [`container runtime is not running: output: ${said}`] })],
    unreachable: why,
  };
};
