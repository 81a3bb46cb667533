import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { kubeadmSubject } from "./kubeadm-subject.ts";
import { WorkloadWorld } from "./workload-world.ts";

const world = new WorkloadWorld();

afterAll(async () => {
  world.assertMembersFollow();
  await world.stop();
});

controlPlaneConformance({ afterAll, beforeAll, describe, it, crashEvery: 50 }, kubeadmSubject(world));
