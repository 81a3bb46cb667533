import { isCapstanError } from "@capstan/contract";
import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";
import { megabytes } from "../machine/disks.ts";
import { namedObject } from "../thing/ready-thing.ts";
import { regionCauses } from "./catalogue-checks.ts";

type Spec = LinodeMachine["spec"];

const maxInterfaces = 3;

/** Every disk with its field; a size that is none is `undefined`. */
const disksOf = (
  { dataDisks = {}, osDisk }: Spec,
  path: string,
): readonly { readonly field: string; readonly given: number | string; readonly size: number | undefined }[] => {
  const sizeOf = (given: number | string): number | undefined => {
    try {
      return megabytes(given);
    } catch (error) {
      if (isCapstanError(error, "linode.disk_size")) return undefined;
      throw error;
    }
  };
  const data = Object.entries(dataDisks).map(([slot, disk]) => ({ field: `${path}.dataDisks.${slot}.size`, disk }));
  const os = osDisk === undefined ? [] : [{ field: `${path}.osDisk.size`, disk: osDisk }];
  return [...os, ...data].map(({ field, disk: { size } }) => ({ field, given: size, size: sizeOf(size) }));
};

/** What cannot stand beside each other, or for itself, whatever the account has. */
export const machineCauses = (spec: Spec, path = "spec"): readonly Cause[] => {
  const causes: Cause[] = [];
  const both = (first: string, second: string, given: boolean): void => {
    if (given) causes.push(forbidden(`${path}.${second}`, `may not be set together with ${path}.${first}`));
  };
  const { firewallID, firewallRef, interfaces = [], linodeInterfaces = [], privateIP, vpcID, vpcRef } = spec;
  both("vpcID", "vpcRef", vpcID !== undefined && namedObject(vpcRef) !== undefined);
  both("firewallID", "firewallRef", firewallID !== undefined && namedObject(firewallRef) !== undefined);
  both("interfaces", "linodeInterfaces", interfaces.length > 0 && linodeInterfaces.length > 0);
  both("linodeInterfaces", "privateIP", linodeInterfaces.length > 0 && privateIP === true);
  for (const [field, { length }] of Object.entries({ interfaces, linodeInterfaces })) {
    if (length > maxInterfaces) {
      causes.push(invalid(`${path}.${field}`, length, `an instance has at most ${maxInterfaces} interfaces`));
    }
  }
  for (const { field, given, size = 0 } of disksOf(spec, path)) {
    if (size <= 0) causes.push(invalid(field, given, "write a size above 0, for example 10Gi"));
  }
  return causes;
};

/** What the account does not have: region, plan, and room on it for the disks. */
export const machineCatalogueCauses = async (spec: Spec, api: LinodeApi, call: Call): Promise<readonly Cause[]> => {
  const capability = (spec.linodeInterfaces ?? []).length > 0 ? "Linode Interfaces" : undefined;
  const region = regionCauses("spec.region", spec.region, await api.regions(call), capability);
  const types = await api.types(call);
  const plan = types.find(({ id }) => id === spec.type);
  if (plan === undefined) {
    const known = types.map(({ id }) => id).join(", ");
    return [...region, invalid("spec.type", spec.type, `there is no such plan; there are ${known}`)];
  }
  const disks = disksOf(spec, "spec");
  const sum = disks.reduce((total, { size = 0 }) => total + size, 0);
  if (sum <= plan.disk) return region;
  const why = `${disks.map(({ field }) => field).join(", ")} ask for ${sum} MB together; the plan ${plan.id} has ${plan.disk}`;
  return [...region, invalid("spec.dataDisks", sum, why)];
};
