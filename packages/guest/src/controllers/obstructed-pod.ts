import { rfc3339 } from "@capstan/contract";
import type { ReconcileContext } from "@capstan/runtime";
import type { PodObject } from "../kinds/workload-kinds.ts";
import type { Kubelet } from "./kubelets.ts";
import { podConditions, report } from "./pod-report.ts";
import type { Obstacle } from "./start-pod.ts";

/** Delay before a container that could not be created, or crashed once, is retried; it doubles with each crash, up to the longest. */
const firstBackOffMs = 10_000;
const longestBackOffMs = 300_000;

const restartsOf = ({ status }: PodObject, index: number): number =>
  status?.containerStatuses?.[index]?.restartCount ?? 0;

/** Returns whether a container has ended that is started again. */
export const hasCrashed = ({ status }: PodObject): boolean =>
  (status?.containerStatuses ?? []).some(({ state }) => state?.waiting?.reason === "CrashLoopBackOff");

const isMeant = ({ container }: Obstacle, name: string): boolean => container === undefined || container === name;

const isSaid = ({ spec, status }: PodObject, obstacle: Obstacle): boolean =>
  spec.containers.some(({ name }, index) => {
    const { message, reason } = status?.containerStatuses?.[index]?.state?.waiting ?? {};
    const isSame = obstacle.reason === "ContainerCreating" || message === obstacle.message;
    return isMeant(obstacle, name) && reason === obstacle.reason && isSame;
  });

const containerStatuses = (pod: PodObject, obstacle: Obstacle, finishedAt: string) =>
  pod.spec.containers.map(({ image, name }, index) => {
    const { container, message, reason } = obstacle;
    const crashes = reason === "CrashLoopBackOff" && isMeant(obstacle, name);
    const waiting = isMeant(obstacle, name)
      ? { reason, message: crashes ? `back-off restarting failed container=${container}` : (message ?? "") }
      : { reason: "ContainerCreating" };
    return {
      name,
      image,
      imageID: crashes ? image : "",
      ready: false,
      started: false,
      restartCount: restartsOf(pod, index) + (crashes ? 1 : 0),
      state: { waiting: reason === "ContainerCreating" ? { reason } : waiting },
      ...(crashes && { lastState: { terminated: { exitCode: 1, reason: "Error", message, finishedAt } } }),
    };
  });

const eventOf = ({ container, message = "", reason }: Obstacle, { metadata }: PodObject) => {
  if (reason === "ContainerCreating") return { reason: "NetworkNotReady", message: `network is not ready: ${message}` };
  if (reason === "CreateContainerConfigError") return { reason: "Failed", message: `Error: ${message}` };
  const pod = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  return { reason: "BackOff", message: `Back-off restarting failed container ${container} in pod ${pod}` };
};

/** Says why a Pod does not run. Returns when that is looked at again, in milliseconds; `undefined`: when its Node has a network. */
export const reportObstacle = async (
  pod: PodObject,
  obstacle: Obstacle,
  { address }: Kubelet,
  context: ReconcileContext,
): Promise<number | undefined> => {
  const now = rfc3339(context.clock.now());
  const crashes = obstacle.reason === "CrashLoopBackOff";
  if (crashes || !isSaid(pod, obstacle)) {
    const status = {
      phase: crashes ? "Running" : "Pending",
      hostIP: address,
      startTime: pod.status?.startTime ?? now,
      conditions: podConditions(pod, false, now, "ContainersNotReady"),
      containerStatuses: containerStatuses(pod, obstacle, now),
    };
    await report(pod, status, context);
    context.events.event(pod, { type: "Warning", ...eventOf(obstacle, pod) });
  }
  if (obstacle.reason === "ContainerCreating") return undefined;
  const restarts = Math.max(...pod.spec.containers.map((_container, index) => restartsOf(pod, index)));
  return crashes ? Math.min(firstBackOffMs * 2 ** restarts, longestBackOffMs) : firstBackOffMs;
};
