import { expect, it } from "vitest";
import { fleetBench } from "../src/fleet.ts";
import { fleetOn, readsIn, refusedIn } from "../src/fleet/fleet.ts";
import { fleetSubjects } from "../src/fleet/subjects.ts";

it.each(Object.keys(fleetSubjects))(
  "two clusters of three machines at %s take few requests, and one list when settled",
  async (cloud) => {
    const { down, settled, up } = await fleetOn(fleetSubjects[cloud]!, { clusters: 2, machines: 3 });
    expect([up, settled, down].flatMap(refusedIn)).toEqual([]);
    expect(readsIn(up) / 6).toBeLessThanOrEqual(25);
    expect(settled.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

it.each([
  ["--clusters", "many"],
  ["--machines", "0"],
])("refuses %s %s", async (flag, value) =>
  expect(fleetBench("linode")([flag, value])).rejects.toThrow(`${flag} ${value}: give a whole number from 1`),
);
