import type { Requests } from "./audit.ts";
import type { Shape } from "./options.ts";
import type { Histogram } from "./queue-waits.ts";

/** Figures of one contestant with one shape. */
export interface Figures {
  readonly contestant: string;
  readonly server: string;
  readonly shape: Shape;
  /** Requests of the managers, from their start until they were quiet. */
  readonly startRequests: Requests;
  /** From the first object to the last Machine Running. */
  readonly runningSeconds: number;
  /** Until then, and in the seconds after it, of the managers. */
  readonly requests: Requests;
  /** Until then: the managers together, the API server, the infrastructure with the workload clusters. */
  readonly cpuSeconds: { readonly managers: number; readonly server: number; readonly standIn: number };
  readonly queueWaits: ReadonlyMap<string, Histogram>;
  /** Absent: not looked at. */
  readonly settled?: { readonly seconds: number; readonly requests: Requests; readonly cpuSeconds: number };
  /** From the request to the last Cluster and Machine gone. */
  readonly deleteSeconds: number;
  readonly deleteRequests: Requests;
  /** The most that each manager has had from its start to the end, together. */
  readonly peakMiB: number;
}
