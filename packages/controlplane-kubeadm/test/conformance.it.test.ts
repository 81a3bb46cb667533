import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { kubeadmSubject } from "./kubeadm-subject.ts";
import { assertMembersFollow, kubeadmWorld } from "./workload-world.ts";

const world = kubeadmWorld();

afterAll(async () => {
  assertMembersFollow(world);
  await world.stop();
});

controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50 }, kubeadmSubject(world));
