import { seconds, templateReference, v1beta2 } from "@capstan/kit/machines";
import {
  conditionType,
  duration,
  enumOf,
  intOrString,
  list,
  object,
  objectReference,
  optional,
  rules,
  string,
  text,
} from "@capstan/schema";
import type { Fields } from "@capstan/schema";

const ownTypes = "Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated";

const machineConditionType = () =>
  rules(conditionType({ description: "Type of the Machine's condition.", minLength: 1 }), {
    rule: `!(self in [${ownTypes
      .split(", ")
      .map((type) => `'${type}'`)
      .join(",")}])`,
    message: `type must not be one of: ${ownTypes}`,
  });

const machineConditionStatus = () =>
  enumOf(["True", "False", "Unknown"], { description: "The status that counts as unhealthy." });
const nodeConditionType = () => string({ description: "Type of the Node's condition.", minLength: 1 });
const nodeConditionStatus = () => string({ description: "The status that counts as unhealthy.", minLength: 1 });

const machineConditions = <const F extends Fields>(timeout: F) =>
  list(
    object(
      { type: machineConditionType(), status: machineConditionStatus(), ...timeout },
      { description: "One condition that must not last." },
    ),
    {
      description: "Conditions of the Machine that make it unhealthy when they last.",
      minItems: 1,
      maxItems: 100,
      type: "atomic",
    },
  );

const unhealthyRange = () =>
  string({
    description: "Range of unhealthy Machines in which Machines are replaced, such as [3-5].",
    minLength: 1,
    maxLength: 32,
    pattern: "^\\[[0-9]+-[0-9]+\\]$",
  });

const nodeConditionsDescription = "Conditions of the Node that make the Machine unhealthy when they last.";
const startupTimeout = "How long a Machine may take to get its Node; 600 seconds when unset, unlimited when 0.";
const unhealthyLimit =
  "Machines, or percent rounded down, that may be unhealthy at most for any to be replaced; 100% when unset.";

/** `checks` of v1beta2: when a Machine is unhealthy. */
export const healthChecks = () =>
  object(
    {
      nodeStartupTimeoutSeconds: optional(seconds(startupTimeout)),
      unhealthyNodeConditions: optional(
        list(
          object(
            {
              type: nodeConditionType(),
              status: nodeConditionStatus(),
              timeoutSeconds: seconds("How long it may last."),
            },
            { description: "One condition that must not last." },
          ),
          { description: nodeConditionsDescription, minItems: 1, maxItems: 100, type: "atomic" },
        ),
      ),
      unhealthyMachineConditions: optional(machineConditions({ timeoutSeconds: seconds("How long it may last.") })),
    },
    { description: "When a Machine is unhealthy.", ...v1beta2.object },
  );

/** `remediation` of v1beta2: whether and how unhealthy Machines are replaced; `more` are fields of its user. */
export const remediation = <const F extends Fields>(more: F) =>
  object(
    {
      ...more,
      triggerIf: optional(
        object(
          {
            unhealthyLessThanOrEqualTo: optional(intOrString({ description: unhealthyLimit })),
            unhealthyInRange: optional(unhealthyRange()),
          },
          { description: "Limits that keep a wide outage from replacing everything.", ...v1beta2.object },
        ),
      ),
      templateRef: optional(
        templateReference({
          description:
            "Template of a request for an external remediation controller; unset: the Machine's owner replaces it.",
        }),
      ),
    },
    { description: "Whether and how unhealthy Machines are replaced.", ...v1beta2.object },
  );

/** The fields of a v1beta1 health check. */
export const flatHealthCheck = () => ({
  unhealthyConditions: optional(
    list(
      object(
        {
          type: nodeConditionType(),
          status: nodeConditionStatus(),
          timeout: duration({ description: "How long it may last." }),
        },
        { description: "One condition that must not last." },
      ),
      { description: nodeConditionsDescription, maxItems: 100 },
    ),
  ),
  unhealthyMachineConditions: optional(
    machineConditions({ timeout: duration({ description: "How long it may last." }) }),
  ),
  maxUnhealthy: optional(intOrString({ description: unhealthyLimit })),
  unhealthyRange: optional(unhealthyRange()),
  nodeStartupTimeout: optional(
    duration({ description: "How long a Machine may take to get its Node; 10m when unset, unlimited when 0s." }),
  ),
  remediationTemplate: optional(
    objectReference({
      description:
        "Template of a request for an external remediation controller; unset: the Machine's owner replaces it.",
    }),
  ),
});

/** Names of the Machines that are checked. */
export const targets = (options: { readonly type?: "atomic" }) =>
  list(text(253, "Name of a Machine."), {
    description: "Machines that are checked.",
    maxItems: 10_000,
    ...options,
  });
