import type { InstanceType } from "@capstan/linode-client";
import type { LinodeMachineTemplate } from "../api/linode-machine-template.v1alpha2.ts";

type Status = NonNullable<LinodeMachineTemplate["status"]>;

const mebibytes = 1024;

/** Linode's MB are MiB: whole GiB as such. */
const sizeText = (size: number): string => (size % mebibytes === 0 ? `${size / mebibytes}Gi` : `${size}Mi`);

/** Returns the capacity of a machine of a plan, for an autoscaler to scale from zero. */
export const capacityOf = ({
  disk,
  gpus,
  memory,
  vcpus,
}: Pick<InstanceType, "disk" | "gpus" | "memory" | "vcpus">): Required<Pick<Status, "capacity" | "nodeInfo">> => ({
  capacity: {
    cpu: String(vcpus),
    memory: sizeText(memory),
    "ephemeral-storage": sizeText(disk),
    ...(gpus > 0 && { "nvidia.com/gpu": String(gpus) }),
  },
  nodeInfo: { architecture: "amd64", operatingSystem: "linux" },
});
