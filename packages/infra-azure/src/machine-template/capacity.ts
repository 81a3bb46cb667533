import type { AzureMachineTemplate } from "../api/azure-machine-template.v1beta1.ts";
import type { VirtualMachineSku } from "../cloud/skus.ts";

type Status = NonNullable<AzureMachineTemplate["status"]>;

const mebibytes = 1024;

/** GiB as Kubernetes has them: whole ones, else MiB. */
const memoryText = (gibibytes: number): string =>
  Number.isInteger(gibibytes) ? `${gibibytes}Gi` : `${Math.floor(gibibytes * mebibytes)}Mi`;

/** Returns the capacity of a size and facts about its Nodes, by which an autoscaler knows machines before there are any. */
export const capacityOf = (
  { capabilities }: Pick<VirtualMachineSku, "capabilities">,
  osType: string,
): Required<Pick<Status, "capacity" | "nodeInfo">> => {
  const { CpuArchitectureType = "x64", MemoryGB = "0", vCPUs = "0" } = capabilities;
  return {
    capacity: { cpu: vCPUs, memory: memoryText(Number(MemoryGB)) },
    nodeInfo: {
      architecture: CpuArchitectureType.toLowerCase() === "arm64" ? "arm64" : "amd64",
      operatingSystem: osType.toLowerCase() === "windows" ? "windows" : "linux",
    },
  };
};
