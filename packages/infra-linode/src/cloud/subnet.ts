import type { VpcSubnet } from "@capstan/linode-client";
import { linodeError } from "./errors.ts";
import type { Call, VpcCalls } from "./linode-api.ts";

/** The subnet of a VPC by its label, or the first. Throws `linode.not_found` when there is none. */
export const findSubnet = async (
  api: VpcCalls,
  wanted: { readonly vpcId: number; readonly label: string | undefined },
  call: Call,
): Promise<VpcSubnet> => {
  const { vpcId, label } = wanted;
  const vpc = await api.vpc(vpcId, call);
  if (vpc === undefined) throw linodeError("notFound", `there is no VPC ${vpcId}: correct spec.vpcID`);
  const byLabel = label === undefined || label === "" ? undefined : label;
  const subnet = vpc.subnets.find((entry) => byLabel === undefined || entry.label === byLabel);
  if (subnet !== undefined) return subnet;
  const missing = byLabel === undefined ? "any subnet" : `the subnet "${byLabel}"`;
  throw linodeError("notFound", `VPC ${vpcId} does not have ${missing}: create it, or correct network.subnetName`);
};
