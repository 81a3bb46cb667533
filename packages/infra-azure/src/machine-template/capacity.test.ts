import { expect, it } from "vitest";
import { capacityOf } from "./capacity.ts";

it("says processors and memory as Kubernetes has them, fractions of a GiB in MiB", () => {
  expect(capacityOf({ capabilities: { vCPUs: "2", MemoryGB: "8", CpuArchitectureType: "x64" } }, "Linux")).toEqual({
    capacity: { cpu: "2", memory: "8Gi" },
    nodeInfo: { architecture: "amd64", operatingSystem: "linux" },
  });
  expect(
    capacityOf({ capabilities: { vCPUs: "1", MemoryGB: "0.75", CpuArchitectureType: "Arm64" } }, "Windows"),
  ).toEqual({
    capacity: { cpu: "1", memory: "768Mi" },
    nodeInfo: { architecture: "arm64", operatingSystem: "windows" },
  });
});
