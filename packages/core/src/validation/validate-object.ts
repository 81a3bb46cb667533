import { required } from "@capstan/kit/admission";
import { type Cause, type KubeObject, type Resource, sameJson } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";
import {
  Cluster,
  IPAddress,
  IPAddressClaim,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
} from "../api.ts";
import { validateCluster } from "./cluster.ts";
import { validateIPAddress, validateIPAddressClaim } from "./ip-address.ts";
import { validateMachine } from "./machine.ts";
import { validateMachineDeployment } from "./machine-deployment.ts";
import { validateMachineDrainRule } from "./machine-drain-rule.ts";
import { validateMachineHealthCheck } from "./machine-health-check.ts";
import { validateMachinePool } from "./machine-pool.ts";
import { validateMachineSet } from "./machine-set.ts";

type Validate = (object: never, old: never) => readonly Cause[];

const rules: readonly (readonly [Resource, Validate])[] = [
  [Cluster, validateCluster],
  [IPAddress, validateIPAddress],
  [IPAddressClaim, validateIPAddressClaim],
  [Machine, validateMachine],
  [MachineDeployment, validateMachineDeployment],
  [MachineDrainRule, validateMachineDrainRule],
  [MachineHealthCheck, validateMachineHealthCheck],
  [MachinePool, validateMachinePool],
  [MachineSet, validateMachineSet],
];

const nameOf = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

const byKind = new Map(rules.map(([kind, validate]) => [nameOf(apiVersionOf(kind), kind.kind), validate]));

/**
 * Returns the part of an object that is validated. An update that does not change it is accepted: rules added later
 * must not hold up controllers.
 */
const desiredState = ({ metadata, ...object }: KubeObject): readonly unknown[] => [
  object["spec"],
  metadata.labels,
  metadata.annotations,
];

/**
 * Validates a core object beyond its schema; for admission, after defaulting and the schema check. `old` is the object
 * before an update. Returns nothing for kinds and versions of others, and for objects that are being deleted.
 */
export const validateObject = (object: KubeObject, old: KubeObject | undefined): readonly Cause[] => {
  const validate = byKind.get(nameOf(object.apiVersion, object.kind));
  if (validate === undefined || object.metadata.deletionTimestamp !== undefined) return [];
  if (old !== undefined && sameJson(desiredState(object), desiredState(old))) return [];
  // The schema of v1beta1 lets an object be without a spec.
  if (object["spec"] === undefined) return [required("spec", "an object of this kind says what it wants")];
  return validate(object as never, old as never);
};
