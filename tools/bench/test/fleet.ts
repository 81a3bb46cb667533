import type { BoundFleetPhase, FleetSize } from "@capstan/testing/fleet";
import { expect } from "vitest";
import { fleetOn, readsIn, refusedIn } from "../src/fleet/fleet.ts";
import { fleetSubjects } from "../src/fleet/subjects.ts";

/** A fleet may take so many times what its cloud makes necessary. */
const mostRatio = 1.5;
const mostReads = 25;

const expectInTime = ({ leastMs, ms }: BoundFleetPhase): void => expect(ms).toBeLessThanOrEqual(mostRatio * leastMs);

/** A fleet comes up and goes in the time that the limits of its account and the cloud itself make necessary, and is refused nothing. */
export const expectFleet = async (cloud: string, { clusters, machines }: FleetSize): Promise<void> => {
  const { down, settled, up } = await fleetOn(fleetSubjects[cloud]!, { clusters, machines });
  expect([up, settled, down].flatMap(refusedIn)).toEqual([]);
  expectInTime(up);
  expectInTime(down);
  expect(readsIn(up) / (clusters * machines)).toBeLessThanOrEqual(mostReads);
  expect(settled.requests.filter(({ method }) => method !== "GET")).toEqual([]);
};
