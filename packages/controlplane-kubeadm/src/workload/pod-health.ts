import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { KubeadmReason } from "../api/control-plane-conditions.ts";

interface ContainerState {
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: { readonly exitCode?: number };
}

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly {
    readonly state?: ContainerState;
    readonly lastState?: ContainerState;
  }[];
}

type Health = Pick<ConditionInput, "status" | "reason" | "message">;

const no = (reason: string, message: string): Health => ({ status: "False", reason, message });

/** A Pod whose containers were started once. */
const runningHealth = ({ conditions = [], containerStatuses = [] }: PodStatus): Health => {
  if (conditions.some(({ type, status }) => type === "Ready" && status === "True")) {
    return { status: "True", reason: KubeadmReason.running };
  }
  if (containerStatuses.some(({ state }) => state?.terminated !== undefined)) {
    return no(KubeadmReason.failed, "All the containers have been terminated");
  }
  const waiting = containerStatuses.flatMap(({ state, lastState }) =>
    state?.waiting === undefined
      ? []
      : [{ why: state.waiting.reason ?? "waiting", code: lastState?.terminated?.exitCode }],
  );
  if (waiting.length === 0) return no(KubeadmReason.provisioning, "Waiting for startup or readiness probes");
  const reason = waiting.some(({ code = 0 }) => code !== 0) ? KubeadmReason.failed : KubeadmReason.provisioning;
  return no(reason, waiting.map(({ why }) => why).join(", "));
};

/** Returns the health of a component from its static Pod. */
export const podHealth = (pod: KubeObject | undefined): Health => {
  if (pod === undefined) return no(KubeadmReason.doesNotExist, "Pod does not exist");
  const status = (pod["status"] ?? {}) as PodStatus;
  switch (status.phase) {
    case "Running":
      return runningHealth(status);
    case "Succeeded":
    case "Failed":
      return no(KubeadmReason.failed, "All the containers have been terminated");
    case "Unknown":
      return { status: "Unknown", reason: KubeadmReason.inspectionFailed, message: "Pod is reporting Unknown status" };
    default:
      return no(KubeadmReason.provisioning, "Waiting to be scheduled and started");
  }
};
