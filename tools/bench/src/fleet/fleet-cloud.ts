import type { Kind } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetCloud, FleetSize } from "@capstan/testing/fleet";

/** A cloud that has been started. */
export interface StartedFleetCloud extends FleetCloud {
  stop(): Promise<void>;
}

/** An infrastructure that fleets are tried on. */
export interface FleetSubject {
  /** Kinds that its providers watch. */
  readonly kinds: readonly Kind[];
  readonly start: (environment: ConformanceEnvironment, size: FleetSize) => Promise<StartedFleetCloud>;
}
