import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { assertMembersFollow, serversWorld } from "./servers-world.ts";
import { kthreesSubject } from "./subjects.ts";

const world = serversWorld("k3s");

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

// A sample of the crashes: every one is tried with a KubeadmControlPlane, whose steps the same role of the kit takes.
controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50 }, kthreesSubject(world));
