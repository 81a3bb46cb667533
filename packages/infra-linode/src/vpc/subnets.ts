import type { Difference } from "@capstan/kit/resource";
import type { CreateVpcSubnet, Vpc, VpcSubnet } from "@capstan/linode-client";
import type { LinodeVPC } from "../api/linode-vpc.v1alpha2.ts";

type Subnet = NonNullable<LinodeVPC["spec"]["subnets"]>[number];

/** A subnet of a spec with the label that it has at Linode. */
type LabelledSubnet = Subnet & { readonly label: string };

/** The subnets of a spec; those without a label get the first of `default`, `default-2` and so on that no other subnet has. */
export const labelledSubnets = ({ subnets = [] }: LinodeVPC["spec"]): readonly LabelledSubnet[] => {
  const taken = new Set(subnets.map(({ label }) => label));
  const freeLabel = (): string => {
    for (let number = 1; ; number += 1) {
      const label = number === 1 ? "default" : `default-${number}`;
      if (!taken.has(label)) return label;
    }
  };
  return subnets.map((subnet) => {
    const label = subnet.label ?? freeLabel();
    taken.add(label);
    return { ...subnet, label };
  });
};

/** The subnet of a spec at Linode: by the id that it records, else by its label. */
const actualOf = ({ label, subnetID }: LabelledSubnet, subnets: readonly VpcSubnet[]): VpcSubnet | undefined =>
  subnets.find(({ id }) => id === subnetID) ?? subnets.find((subnet) => subnet.label === label);

/** The creation request of a subnet. */
export const subnetBody = ({ label, ipv4, ipv6Range = [] }: LabelledSubnet): CreateVpcSubnet => ({
  label,
  ...(ipv4 !== undefined && ipv4 !== "" && { ipv4 }),
  ...(ipv6Range.length > 0 && { ipv6: ipv6Range.map(({ range = "auto" }) => ({ range })) }),
});

/** The subnets of a spec with what Linode made of them. */
export const subnetFacts = (spec: LinodeVPC["spec"], subnets: readonly VpcSubnet[]): readonly Subnet[] => {
  const actuals = labelledSubnets(spec).map((subnet) => actualOf(subnet, subnets));
  return (spec.subnets ?? []).map((subnet, index) => {
    const actual = actuals[index];
    if (actual === undefined) return subnet;
    const { id, ipv4 } = actual;
    const ipv6 = actual.ipv6 ?? [];
    return {
      ...subnet,
      subnetID: id,
      ipv4: subnet.ipv4 ?? ipv4,
      ...(ipv6.length > 0 && { ipv6: ipv6.map(({ range }) => ({ range })) }),
    };
  });
};

export const missingSubnets = ({ spec }: LinodeVPC, { subnets }: Vpc): readonly LabelledSubnet[] =>
  labelledSubnets(spec).filter((subnet) => actualOf(subnet, subnets) === undefined);

/** Those of a VPC that stays which go with the object. */
export const removableSubnets = ({ spec }: LinodeVPC, { subnets }: Vpc): readonly VpcSubnet[] =>
  labelledSubnets(spec).flatMap((subnet) => (subnet.retain ? [] : (actualOf(subnet, subnets) ?? [])));

/** Missing subnets are made; the range of one that is there cannot change. Others in the VPC are none of the object's. */
export const subnetDifferences = (object: LinodeVPC, vpc: Vpc): readonly Difference[] => {
  const missing = missingSubnets(object, vpc);
  const changed = labelledSubnets(object.spec).flatMap((subnet): readonly Difference[] => {
    const actual = actualOf(subnet, vpc.subnets);
    if (actual === undefined || subnet.ipv4 === undefined || subnet.ipv4 === actual.ipv4) return [];
    const field = `spec.subnets[${actual.label}].ipv4`;
    return [{ field, desired: subnet.ipv4, actual: actual.ipv4, mend: "refuse" }];
  });
  const made: readonly Difference[] = missing.map(({ label }) => ({
    field: `spec.subnets[${label}]`,
    desired: "there",
    actual: "missing",
    mend: "update",
  }));
  return [...made, ...changed];
};
