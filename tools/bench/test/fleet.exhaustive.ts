import { beforeAll, describe, it } from "vitest";
import { fleetSubjects } from "../src/fleet/subjects.ts";
import { aloneOn, expectFleet } from "./fleet.ts";

describe.each(Object.keys(fleetSubjects))("at %s, under its real limits", (cloud) => {
  let alone: Awaited<ReturnType<typeof aloneOn>>;
  beforeAll(async () => {
    alone = await aloneOn(cloud);
  });

  it("twelve clusters at once come up and go side by side", () =>
    expectFleet(cloud, { alone, clusters: 12, machines: 4 }));

  it("a cluster of a hundred machines comes up and goes", () =>
    expectFleet(cloud, { alone, clusters: 1, machines: 100 }));
});
