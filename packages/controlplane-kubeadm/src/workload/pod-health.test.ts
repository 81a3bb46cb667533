import { expect, it } from "vitest";
import { podHealth } from "./pod-health.ts";

const pod = (status: object) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "kube-apiserver-n" }, status });
const container = (state: object, lastState: object = {}) => ({ containerStatuses: [{ state, lastState }] });

it.each([
  ["one that is missing", undefined, "False/DoesNotExist"],
  ["one that waits", pod({ phase: "Pending" }), "False/Provisioning"],
  ["one that runs", pod({ phase: "Running", conditions: [{ type: "Ready", status: "True" }] }), "True/Running"],
  ["one that is not ready", pod({ phase: "Running" }), "False/Provisioning"],
  ["one that has ended", pod({ phase: "Running", ...container({ terminated: { exitCode: 1 } }) }), "False/Failed"],
  [
    "one that is started again and again",
    pod({
      phase: "Running",
      ...container({ waiting: { reason: "CrashLoopBackOff" } }, { terminated: { exitCode: 1 } }),
    }),
    "False/Failed",
  ],
  ["one that is over", pod({ phase: "Failed" }), "False/Failed"],
  ["one of which nothing is known", pod({ phase: "Unknown" }), "Unknown/InspectionFailed"],
])("%s", (_, given, expected) => {
  const { status, reason } = podHealth(given);
  expect(`${status}/${reason}`).toBe(expected);
});
