import { describe, it } from "vitest";
import { fleetSubjects } from "../src/fleet/subjects.ts";
import { expectFleet } from "./fleet.ts";

describe.each(Object.keys(fleetSubjects))("at %s, under its real limits", (cloud) => {
  it("twelve clusters at once come up and go side by side", () => expectFleet(cloud, { clusters: 12, machines: 4 }));

  it("a cluster of a hundred machines comes up and goes", () => expectFleet(cloud, { clusters: 1, machines: 100 }));
});
