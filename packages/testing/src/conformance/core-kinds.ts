import { Group } from "@capstan/contract";
import { coreVersion } from "@capstan/contract/wire";
import { kind, object, optional } from "@capstan/schema";

/** A core kind that takes anything: the suites play the part of the core controllers themselves. */
const open = (name: string, plural: string) =>
  kind({
    group: Group.core,
    version: coreVersion,
    kind: name,
    plural,
    description: `Stands for ${name}.`,
    spec: optional(object({}, { preserveUnknown: true })),
    status: object({}, { preserveUnknown: true }),
  });

export const coreKinds = [
  open("Cluster", "clusters"),
  open("Machine", "machines"),
  open("MachinePool", "machinepools"),
];
