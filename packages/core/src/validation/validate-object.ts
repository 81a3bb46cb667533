import { sameJson } from "@capstan/contract/wire";
import type { Cause, KubeObject } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import { Cluster, Machine, MachineDeployment, MachineDrainRule, MachineHealthCheck, MachineSet } from "../api.ts";
import { required } from "./causes.ts";
import { validateCluster } from "./cluster.ts";
import { validateMachine } from "./machine.ts";
import { validateMachineDeployment } from "./machine-deployment.ts";
import { validateMachineDrainRule } from "./machine-drain-rule.ts";
import { validateMachineHealthCheck } from "./machine-health-check.ts";
import { validateMachineSet } from "./machine-set.ts";

type Validate = (object: never, old: never) => readonly Cause[];

const byKind: Readonly<Record<string, Validate>> = {
  [Cluster.kind]: validateCluster,
  [Machine.kind]: validateMachine,
  [MachineDeployment.kind]: validateMachineDeployment,
  [MachineDrainRule.kind]: validateMachineDrainRule,
  [MachineHealthCheck.kind]: validateMachineHealthCheck,
  [MachineSet.kind]: validateMachineSet,
};

/** What validation looks at. An update that leaves it alone is not judged: rules that came later must hold up no controller. */
const wish = ({ metadata, ...object }: KubeObject): readonly unknown[] => [
  object["spec"],
  metadata.labels,
  metadata.annotations,
];

/**
 * What is wrong with a core object, beyond what its schema says: for admission, after the defaults and the schema. `old` is
 * the object before an update. Nothing is said of kinds and versions of others, nor of objects on their way out.
 */
export const validateObject = (object: KubeObject, old: KubeObject | undefined): readonly Cause[] => {
  if (object.apiVersion !== apiVersionOf(Machine) || object.metadata.deletionTimestamp !== undefined) return [];
  if (old !== undefined && sameJson(wish(object), wish(old))) return [];
  const validate = Object.hasOwn(byKind, object.kind) ? byKind[object.kind] : undefined;
  if (validate === undefined) return [];
  // The schema of v1beta1 lets an object be without a spec.
  if (object["spec"] === undefined) return [required("spec", "an object of this kind says what it wants")];
  return validate(object as never, old as never);
};
