import { FieldManager } from "@capstan/contract";
import { Machine } from "../api.ts";
import { cloneReference, makeParts } from "./clones.ts";
import { machineBody } from "./machine-body.ts";
import { defaultMachineNaming, machineName } from "./machine-name.ts";
import type { MachineSetScope } from "./scope.ts";
import type { Templates } from "./templates.ts";

const newName = ({ set, cluster, context }: MachineSetScope): string => {
  const variables = { ".machineSet.name": set.metadata.name ?? "", ".cluster.name": cluster.metadata.name ?? "" };
  return machineName(set.spec.machineNaming?.template ?? defaultMachineNaming, variables, context.random);
};

/**
 * Makes one Machine, then its bootstrap config and infrastructure machine of the same name, which it owns from the start. When one of
 * these is refused the Machine stays, and is completed by a later reconcile: nothing is ever left without an owner.
 */
export const createMachine = async (scope: MachineSetScope, templates: Templates): Promise<void> => {
  const { set, context } = scope;
  const name = newName(scope);
  const { bootstrap, infrastructure } = templates;
  const { version, failureDomain } = set.spec.template.spec;
  const body = machineBody(set, {
    name,
    infrastructureRef: cloneReference(infrastructure, name),
    configRef: bootstrap === undefined ? undefined : cloneReference(bootstrap, name),
    version,
    failureDomain,
  });
  const machine = await scope.machineApplier.apply(context, Machine, FieldManager.machineSet, undefined, body);
  scope.machines = [...scope.machines, machine];
  const message = `Created Machine ${name}`;
  context.events.event(set, { type: "Normal", reason: "SuccessfulCreate", message });
  await makeParts(scope, templates, machine);
};
