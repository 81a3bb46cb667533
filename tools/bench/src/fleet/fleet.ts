import { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetFigures, FleetPhase, FleetRequest, FleetSize } from "@capstan/testing/fleet";
import { fleetFigures } from "@capstan/testing/fleet";
import type { FleetSubject } from "./fleet-cloud.ts";

/** The life of a fleet on a cloud of its own. */
export const fleetOn = async (subject: FleetSubject, size: FleetSize): Promise<FleetFigures> => {
  const environment = await ConformanceEnvironment.start(subject.kinds);
  try {
    const cloud = await subject.start(environment, size);
    try {
      return await fleetFigures(environment, cloud, size);
    } finally {
      await cloud.stop();
    }
  } finally {
    await environment.stop();
  }
};

/** Requests of a phase that only look. */
export const readsIn = ({ requests }: FleetPhase): number => requests.filter(({ method }) => method === "GET").length;

export const refusedIn = ({ requests }: FleetPhase): readonly FleetRequest[] =>
  requests.filter(({ status }) => status === 429);
