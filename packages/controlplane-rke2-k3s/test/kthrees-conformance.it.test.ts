import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { assertMembersFollow, serversWorld } from "./servers-world.ts";
import { kthreesSubject } from "./subjects.ts";

const world = serversWorld("k3s");

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

// What its kind, configs, token and conditions take part in. In the rest it is servers as RKE2 is, whose suite has every case each day;
// `kthrees-conformance.exhaustive.ts` has them all.
const only = [
  "makes one Machine after another, the first to begin the cluster and the others to join it",
  "waits for the cluster's infrastructure",
  "goes from three to one, one after another",
  "replaces all for another version, with one more meanwhile",
  "replaces a Machine that is unhealthy",
  "writes nothing once everything is as it should be",
  "leaves paused objects alone",
  "changes labels in place",
  "takes Machines back and rebuilds its status after a move",
  "lets its Machines go after the workers, and goes last",
  "makes every Machine once although it crashes between any two calls",
];

controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50, only }, kthreesSubject(world));
