import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { assertMembersFollow, serversWorld } from "./servers-world.ts";
import { rke2Subject } from "./subjects.ts";

const world = serversWorld("rke2");

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50 }, rke2Subject(world));
