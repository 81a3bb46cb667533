import { invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { PoolSpec } from "../machine-pool/pool-plan.ts";
import { machineSpecOf } from "../machine-pool/pool-plan.ts";
import { machineCauses } from "./machine-causes.ts";

const template = "spec.template";
/** Fields of the pool itself, although they are about its machines. */
const ofPool = /^spec\.template\.(userAssignedIdentities|systemAssignedIdentityRole|roleAssignmentName)/;

const isNone = (count: number | string | undefined): boolean => count === 0 || count === "0" || count === "0%";

const strategyCauses = ({ strategy }: PoolSpec): readonly Cause[] => {
  const { maxSurge = 1, maxUnavailable = 0 } = strategy?.rollingUpdate ?? {};
  const why = "must not be 0 if maxSurge is 0: nothing could be replaced";
  return isNone(maxSurge) && isNone(maxUnavailable)
    ? [invalid("spec.strategy.rollingUpdate.maxUnavailable", maxUnavailable, why)]
    : [];
};

const noticeCauses = ({ template: { terminateNotificationTimeout: minutes } }: PoolSpec): readonly Cause[] =>
  minutes === undefined || (minutes >= 5 && minutes <= 15)
    ? []
    : [invalid(`${template}.terminateNotificationTimeout`, minutes, "must be from 5 to 15 minutes")];

/** Validates the spec of a pool. */
export const poolCauses = (spec: PoolSpec): readonly Cause[] => [
  ...machineCauses(machineSpecOf(spec), { path: template }).map((cause) => ({
    ...cause,
    ...(cause.field !== undefined && { field: cause.field.replace(ofPool, "spec.$1") }),
  })),
  ...noticeCauses(spec),
  ...strategyCauses(spec),
];

/** Returns the fields that are immutable in a scale set. */
const fixed = (spec: PoolSpec): Readonly<Record<string, unknown>> => ({
  "spec.location": spec.location,
  "spec.orchestrationMode": spec.orchestrationMode ?? "Uniform",
  "spec.platformFaultDomainCount": spec.platformFaultDomainCount,
  "spec.zoneBalance": spec.zoneBalance,
  "spec.template.osDisk.osType": machineSpecOf(spec).osDisk.osType,
});

const isSpot = ({ template: { spotVMOptions } }: PoolSpec): boolean => spotVMOptions !== undefined;

/** Returns the refused changes to the spec of a pool. */
export const poolChanges = (before: PoolSpec, after: PoolSpec): readonly Cause[] => {
  const [old, now] = [fixed(before), fixed(after)];
  const changed = Object.keys(now).filter((field) => old[field] !== now[field]);
  return [
    ...changed.map((field) => invalid(field, now[field] ?? null, "field is immutable: create another pool")),
    ...(isSpot(before) === isSpot(after)
      ? []
      : [
          invalid(
            `${template}.spotVMOptions`,
            after.template.spotVMOptions ?? null,
            "spot instances are immutable: create another pool",
          ),
        ]),
  ];
};
