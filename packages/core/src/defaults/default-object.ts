import { apiVersionOf, isJsonObject, type KubeObject } from "@capstan/schema";
import { Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet } from "../api.ts";
import {
  defaultMachine,
  defaultMachineDeployment,
  defaultMachineHealthCheck,
  defaultMachinePool,
  defaultMachineSet,
} from "./defaults.ts";

const byKind: Readonly<Record<string, (object: never, old: never) => KubeObject>> = {
  [Machine.kind]: defaultMachine,
  [MachineSet.kind]: defaultMachineSet,
  [MachineDeployment.kind]: defaultMachineDeployment,
  [MachineHealthCheck.kind]: defaultMachineHealthCheck,
  [MachinePool.kind]: defaultMachinePool,
};

/** Admission comes before validation: what lacks its parts is left for the schema to refuse. */
const isWhole = ({ kind, spec }: KubeObject): boolean => {
  if (!isJsonObject(spec)) return false;
  if (kind === Machine.kind || kind === MachineHealthCheck.kind) return true;
  return isJsonObject(spec["template"]) && isJsonObject(spec["template"]["spec"]);
};

/**
 * A core object with the defaults of its kind, for admission: filled in there, applying the same manifest again changes nothing. The
 * same object when nothing is missing or the kind has no defaults. `old` is the object before an update.
 */
export const defaultObject = (object: KubeObject, old?: KubeObject): KubeObject => {
  if (object.apiVersion !== apiVersionOf(Machine) || !isWhole(object)) return object;
  return byKind[object.kind]?.(object as never, old as never) ?? object;
};
