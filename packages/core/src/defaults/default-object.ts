import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { Machine, MachineDeployment, MachineSet } from "../api.ts";
import { defaultMachine, defaultMachineDeployment, defaultMachineSet } from "./defaults.ts";

const byKind: Readonly<Record<string, (object: never) => KubeObject>> = {
  [Machine.kind]: defaultMachine,
  [MachineSet.kind]: defaultMachineSet,
  [MachineDeployment.kind]: defaultMachineDeployment,
};

/**
 * A core object with the defaults of its kind, for admission: filled in there, applying the same manifest again changes nothing. The
 * same object when nothing is missing or the kind has no defaults. The schema's rules must hold already.
 */
export const defaultObject = (object: KubeObject): KubeObject => {
  if (object.apiVersion !== apiVersionOf(Machine)) return object;
  return byKind[object.kind]?.(object as never) ?? object;
};
