import { isCapstanError } from "@capstan/contract";
import { forbidden, invalid } from "@capstan/kit/admission";
import { sameJson } from "@capstan/schema";
import type { Cause } from "@capstan/schema";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";
import { usesLinodeInterfaces } from "../machine/configuration.ts";
import { megabytes } from "../machine/disks.ts";
import { namedObject } from "../resource/ready-resource.ts";
import { regionCauses } from "./catalogue-checks.ts";
import { exclusions } from "./exclusions.ts";

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

/** Returns invalid values and combinations in a machine's spec, independent of the account. */
export const machineCauses = (spec: Spec, path = "spec"): readonly Cause[] => {
  const { backupID, firewallID, firewallRef, image, interfaces = [], linodeInterfaces = [] } = spec;
  const { privateIP, providerID = "", vpcID, vpcRef } = spec;
  const causes: Cause[] = [
    ...exclusions(path, [
      ["vpcID", "vpcRef", vpcID !== undefined && namedObject(vpcRef) !== undefined],
      ["firewallID", "firewallRef", firewallID !== undefined && namedObject(firewallRef) !== undefined],
      ["interfaces", "linodeInterfaces", interfaces.length > 0 && linodeInterfaces.length > 0],
      ["linodeInterfaces", "privateIP", linodeInterfaces.length > 0 && privateIP === true],
      // What is moved here was made already, from whichever of them.
      ["image", "backupID", image !== undefined && backupID !== undefined && providerID === ""],
    ]),
  ];
  for (const [field, { length }] of Object.entries({ interfaces, linodeInterfaces })) {
    if (length > maxInterfaces) {
      causes.push(invalid(`${path}.${field}`, length, `an instance has at most ${maxInterfaces} interfaces`));
    }
  }
  for (const { field, given, size = 0 } of disksOf(spec, path)) {
    if (size <= 0) causes.push(invalid(field, given, "write a size above 0, for example 10Gi"));
  }
  return [...causes, ...diskCauses(spec, path)];
};

/** Returns invalid settings of the boot disk, and labels by which a disk could not be found again. */
const diskCauses = (spec: Spec, path: string): readonly Cause[] => {
  const { filesystem, label } = spec.osDisk ?? {};
  const fixed = "the disk gets the file system of the image; leave it out";
  const causes: Cause[] =
    filesystem === undefined || filesystem === "ext4" ? [] : [invalid(`${path}.osDisk.filesystem`, filesystem, fixed)];
  const taken = new Set(label === undefined ? [] : [label]);
  for (const [slot, disk] of Object.entries(spec.dataDisks ?? {})) {
    const name = disk.label ?? slot;
    const field = `${path}.dataDisks.${slot}.label`;
    if (taken.has(name)) causes.push({ reason: "FieldValueDuplicate", field, message: `Duplicate value: "${name}"` });
    taken.add(name);
  }
  return causes;
};

/**
 * Returns the fields of an instance that are fixed at its creation, without the ids of disks and the label of the boot
 * disk.
 */
const fixedFields = ({ dataDisks = {}, interfaceGeneration, osDisk }: Spec): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ["interfaceGeneration", interfaceGeneration],
    ["osDisk", osDisk && [osDisk.filesystem, String(osDisk.size)]],
    ...Object.entries(dataDisks).map(
      ([slot, { filesystem, label, size }]) => [`dataDisks.${slot}`, [filesystem, label, String(size)]] as const,
    ),
  ]);

/** Changes that would have no effect, since the instance is there. */
export const machineChangeCauses = ({ spec: next }: LinodeMachine, { spec: old }: LinodeMachine): readonly Cause[] => {
  if ((old.providerID ?? "") === "") return [];
  const [before, after] = [fixedFields(old), fixedFields(next)];
  const why = "cannot be changed once the instance is made; change the template, or delete the Machine";
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) =>
    sameJson(before.get(field), after.get(field)) ? [] : [forbidden(`spec.${field}`, why)],
  );
};

/** Returns what the account does not offer: the region, the plan, or enough room on it for the disks. */
export const machineCatalogueCauses = async (spec: Spec, api: LinodeApi, call: Call): Promise<readonly Cause[]> => {
  const capability = usesLinodeInterfaces(spec) ? "Linode Interfaces" : undefined;
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
