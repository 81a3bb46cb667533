import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { assertMembersFollow, serversWorld } from "./servers-world.ts";
import { kthreesSubject, rke2Subject } from "./subjects.ts";

describe.each([
  ["rke2", rke2Subject],
  ["k3s", kthreesSubject],
] as const)("servers of %s", (distribution, subjectIn) => {
  const world = serversWorld(distribution);
  afterAll(async () => {
    assertMembersFollow(world);
    await world.stop();
  });
  const only = ["keeps the majority of etcd and comes to an end, whatever fails meanwhile"];
  controlPlaneConformance({ afterAll, beforeAll, describe, it, only }, subjectIn(world));
});
