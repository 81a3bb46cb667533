import type { FleetPhase } from "@capstan/testing/fleet";
import { expect } from "vitest";
import { fleetOn, readsIn, refusedIn } from "../src/fleet/fleet.ts";
import { fleetSubjects } from "../src/fleet/subjects.ts";

/** How much longer a fleet may take than the limits of its cloud alone do, and then one machine alone does. */
const mostRatio = 1.5;
const mostReads = 25;

interface FleetCase {
  readonly clusters: number;
  readonly machines: number;
  /** What one cluster of one machine takes by itself. */
  readonly alone: { readonly upMs: number; readonly downMs: number };
}

/** What one cluster of one machine takes on a cloud. */
export const aloneOn = async (cloud: string): Promise<FleetCase["alone"]> => {
  const { down, up } = await fleetOn(fleetSubjects[cloud]!, { clusters: 1, machines: 1 });
  return { upMs: up.ms, downMs: down.ms };
};

/** Less cannot be told apart: it is looked twice a second whether all is done. */
const shortestMs = 2000;

const expectInTime = ({ leastMs, ms }: FleetPhase, aloneMs: number): void =>
  expect(ms).toBeLessThanOrEqual(mostRatio * (leastMs + Math.max(aloneMs, shortestMs)));

/** A fleet comes up and goes in the time that the limits of its account allow, and is refused nothing. */
export const expectFleet = async (cloud: string, { alone, clusters, machines }: FleetCase): Promise<void> => {
  const { down, settled, up } = await fleetOn(fleetSubjects[cloud]!, { clusters, machines });
  expect([up, settled, down].flatMap(refusedIn)).toEqual([]);
  expectInTime(up, alone.upMs);
  expectInTime(down, alone.downMs);
  expect(readsIn(up) / (clusters * machines)).toBeLessThanOrEqual(mostReads);
  expect(settled.requests.filter(({ method }) => method !== "GET")).toEqual([]);
};
