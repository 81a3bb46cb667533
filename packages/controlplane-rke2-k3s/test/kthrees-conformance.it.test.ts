import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { assertMembersFollow, serversWorld } from "./servers-world.ts";
import { kthreesSubject } from "./subjects.ts";

const world = serversWorld("k3s");

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50 }, kthreesSubject(world));
