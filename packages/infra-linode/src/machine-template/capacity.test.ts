import { expect, it } from "vitest";
import { capacityOf } from "./capacity.ts";

it("says what a plan has as Kubernetes has it", () => {
  expect(capacityOf({ vcpus: 2, memory: 4096, disk: 81_920, gpus: 0 })).toEqual({
    capacity: { cpu: "2", memory: "4Gi", "ephemeral-storage": "80Gi" },
    nodeInfo: { architecture: "amd64", operatingSystem: "linux" },
  });
  expect(capacityOf({ vcpus: 8, memory: 1000, disk: 1500, gpus: 2 }).capacity).toEqual({
    cpu: "8",
    memory: "1000Mi",
    "ephemeral-storage": "1500Mi",
    "nvidia.com/gpu": "2",
  });
});
