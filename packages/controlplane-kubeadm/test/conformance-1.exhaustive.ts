import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { kubeadmSubject } from "./kubeadm-subject.ts";
import { assertMembersFollow, kubeadmWorld } from "./workload-world.ts";

const world = kubeadmWorld();

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

// Four files have a quarter each, so that the longest cases run side by side.
controlPlaneConformance({ afterAll, beforeAll, describe, it, share: { index: 1, count: 4 } }, kubeadmSubject(world));
