import { invalid, required, selectorCauses } from "@capstan/kit/admission";
import { Label } from "@capstan/contract";
import { isEmptySelector } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import type { MachineHealthCheck } from "../api.ts";
import { parseRange } from "../machine-health-check/remediation-gate.ts";
import { clusterCauses } from "./machine.ts";
import { intOrPercentCauses } from "./machine-deployment.ts";

/** Seconds below which no machine starts, so that a check would replace Machines forever. */
const shortestStartup = 30;

const selectorRules = ({ spec }: MachineHealthCheck): readonly Cause[] => {
  if (isEmptySelector(spec.selector)) return [required("spec.selector", "must not be empty")];
  const named = spec.selector.matchLabels?.[Label.clusterName];
  return [
    ...selectorCauses(spec.selector, "spec.selector"),
    ...(named === undefined || named === spec.clusterName
      ? []
      : [
          invalid(
            "spec.selector",
            spec.selector,
            `its label ${Label.clusterName} must be the same as spec.clusterName`,
          ),
        ]),
  ];
};

const startupCauses = ({ spec }: MachineHealthCheck): readonly Cause[] => {
  const value = spec.checks?.nodeStartupTimeoutSeconds;
  return value === undefined || value === 0 || value >= shortestStartup
    ? []
    : [
        invalid(
          "spec.checks.nodeStartupTimeoutSeconds",
          value,
          `must be 0 (without limit) or at least ${shortestStartup}`,
        ),
      ];
};

const limitCauses = ({ spec }: MachineHealthCheck): readonly Cause[] => {
  const { unhealthyInRange, unhealthyLessThanOrEqualTo } = spec.remediation?.triggerIf ?? {};
  const path = "spec.remediation.triggerIf";
  return [
    ...(unhealthyInRange === undefined || parseRange(unhealthyInRange) !== undefined
      ? []
      : [
          invalid(
            `${path}.unhealthyInRange`,
            unhealthyInRange,
            "must be a range such as [1-4], the smaller number first",
          ),
        ]),
    ...intOrPercentCauses(unhealthyLessThanOrEqualTo, `${path}.unhealthyLessThanOrEqualTo`),
  ];
};

/** Validates a MachineHealthCheck. */
export const validateMachineHealthCheck = (
  check: MachineHealthCheck,
  old: MachineHealthCheck | undefined,
): readonly Cause[] => [
  ...selectorRules(check),
  ...clusterCauses(check, old),
  ...startupCauses(check),
  ...limitCauses(check),
];
