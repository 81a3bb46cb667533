import { invalid } from "@capstan/kit/admission";
import { isLabelValue } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import type { MachineDeployment } from "../api.ts";
import { machineMakerCauses } from "./machine-set.ts";

/** A number of Machines, or a share of them. */
export const intOrPercentCauses = (value: number | string | undefined, path: string): readonly Cause[] => {
  const fits = typeof value === "number" ? value >= 0 : value === undefined || /^\d+%$/.test(value);
  return fits ? [] : [invalid(path, value, "must be a number of 0 or more, or a percentage such as 25%")];
};

const isNone = (value: number | string | undefined): boolean =>
  value === 0 || (typeof value === "string" && /^0+%$/.test(value));

const paceCauses = ({ spec }: MachineDeployment): readonly Cause[] => {
  const { maxSurge, maxUnavailable } = spec.rollout?.strategy?.rollingUpdate ?? {};
  const path = "spec.rollout.strategy.rollingUpdate";
  return [
    ...intOrPercentCauses(maxSurge, `${path}.maxSurge`),
    ...intOrPercentCauses(maxUnavailable, `${path}.maxUnavailable`),
    ...(isNone(maxSurge) && isNone(maxUnavailable)
      ? [
          invalid(
            path,
            { maxSurge, maxUnavailable },
            "maxSurge and maxUnavailable are both 0: no Machine could ever be replaced",
          ),
        ]
      : []),
  ];
};

/** Validates a MachineDeployment. Its name becomes the value of a label of its Machines. */
export const validateMachineDeployment = (
  deployment: MachineDeployment,
  old: MachineDeployment | undefined,
): readonly Cause[] => {
  const { name = "" } = deployment.metadata;
  return [
    ...(isLabelValue(name)
      ? []
      : [invalid("metadata.name", name, "must be a valid label value of at most 63 characters")]),
    ...machineMakerCauses(deployment, old),
    ...paceCauses(deployment),
    ...intOrPercentCauses(deployment.spec.remediation?.maxInFlight, "spec.remediation.maxInFlight"),
  ];
};
