import type { Difference } from "@capstan/kit/resource";
import type { CreateVpcSubnet, Vpc, VpcSubnet } from "@capstan/linode-client";
import type { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";

type Subnet = NonNullable<LinodeVPC["spec"]["subnets"]>[number];

/** The subnet of a spec at Linode: by the id that it records, else by its label. */
const actualOf = ({ label, subnetID }: Subnet, subnets: readonly VpcSubnet[]): VpcSubnet | undefined =>
  subnets.find(({ id }) => id === subnetID) ?? subnets.find((subnet) => subnet.label === label);

/** The creation request of a subnet; one without a label is named after its place. */
export const subnetBody = ({ label, ipv4, ipv6Range = [] }: Subnet): CreateVpcSubnet => ({
  label: label ?? "default",
  ...(ipv4 !== undefined && ipv4 !== "" && { ipv4 }),
  ...(ipv6Range.length > 0 && { ipv6: ipv6Range.map(({ range = "auto" }) => ({ range })) }),
});

/** The subnets of a spec with what Linode made of them. */
export const subnetFacts = (wanted: readonly Subnet[], subnets: readonly VpcSubnet[]): readonly Subnet[] =>
  wanted.map((subnet) => {
    const actual = actualOf(subnet, subnets);
    if (actual === undefined) return subnet;
    const { id, ipv4, ipv6 = [] } = actual;
    return {
      ...subnet,
      subnetID: id,
      ipv4: subnet.ipv4 ?? ipv4,
      ...(ipv6.length > 0 && { ipv6: ipv6.map(({ range }) => ({ range })) }),
    };
  });

export const missingSubnets = ({ spec }: LinodeVPC, { subnets }: Vpc): readonly Subnet[] =>
  (spec.subnets ?? []).filter((subnet) => actualOf(subnet, subnets) === undefined);

/** Those of a VPC that stays which go with the object. */
export const removableSubnets = ({ spec }: LinodeVPC, { subnets }: Vpc): readonly VpcSubnet[] =>
  (spec.subnets ?? []).flatMap((subnet) => (subnet.retain ? [] : (actualOf(subnet, subnets) ?? [])));

/** Missing subnets are made; the range of one that is there cannot change. Others in the VPC are none of the object's. */
export const subnetDifferences = (object: LinodeVPC, vpc: Vpc): readonly Difference[] => {
  const missing = missingSubnets(object, vpc);
  const changed = (object.spec.subnets ?? []).flatMap((subnet): readonly Difference[] => {
    const actual = actualOf(subnet, vpc.subnets);
    if (actual === undefined || subnet.ipv4 === undefined || subnet.ipv4 === actual.ipv4) return [];
    const field = `spec.subnets[${actual.label}].ipv4`;
    return [{ field, desired: subnet.ipv4, actual: actual.ipv4, mend: "refuse" }];
  });
  const made: readonly Difference[] = missing.map(({ label = "default" }) => ({
    field: `spec.subnets[${label}]`,
    desired: "there",
    actual: "missing",
    mend: "update",
  }));
  return [...made, ...changed];
};
