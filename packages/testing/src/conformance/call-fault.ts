import type { CallFault } from "../cloud-calls.ts";
import { memoryError } from "../cloud-calls.ts";
import type { CloudFault } from "./infra-machine-subject.ts";

/** A fault of the suite as a disturbance of calls in memory. */
export const callFault = <Call extends string>(
  operation: Call,
  { kind, retryAfterMs, times }: CloudFault,
): CallFault<Call> => ({
  operation,
  times,
  kind: kind === "lost-answer" ? "lose" : "refuse",
  ...(retryAfterMs === undefined
    ? {}
    : { error: memoryError("throttled", "Throttled", "too many calls", retryAfterMs) }),
});
