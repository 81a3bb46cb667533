import { type Causes, invalid, notSupported, oneOf, required } from "./causes.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

/** Causes of what a Job makes of Pods that fail. */
export const failurePolicyCauses = (spec: Part, field: string): Causes => {
  const { podFailurePolicy, podReplacementPolicy, template } = spec;
  if (!isSet(podFailurePolicy)) {
    return [];
  }
  const { restartPolicy } = partOf(partOf(template)["spec"]);
  return [
    ...(restartPolicy === "Never"
      ? []
      : [
          invalid(
            `${field}.template.spec.restartPolicy`,
            restartPolicy,
            'only "Never" is supported with podFailurePolicy',
          ),
        ]),
    ...(podReplacementPolicy === "TerminatingOrFailed"
      ? [notSupported(`${field}.podReplacementPolicy`, podReplacementPolicy, ["Failed"])]
      : []),
    ...listOf(partOf(podFailurePolicy)["rules"]).flatMap((value, index) => {
      const { action, onExitCodes, onPodConditions } = partOf(value);
      const at = `${field}.podFailurePolicy.rules[${index}]`;
      const isByConditions = listOf(onPodConditions).length > 0;
      return [
        ...oneOf(`${at}.action`, action, actions),
        ...(isSet(onExitCodes) === isByConditions
          ? [invalid(at, "", "specifying one of OnExitCodes and OnPodConditions is required")]
          : []),
      ];
    }),
  ];
};

/** Indexes such as `0,2-4`, in order, each below `completions`. */
const areIndexes = (text: string, completions: number): boolean => {
  let last = -1;
  return text.split(",").every((part) => {
    const [, first, end = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    const isInOrder = Number(first) > last && Number(end) >= Number(first) && Number(end) < completions;
    last = Number(end);
    return isInOrder;
  });
};

/** Causes of when a Job has succeeded before all its Pods have. */
export const successPolicyCauses = (spec: Part, field: string): Causes => {
  const { successPolicy, completionMode, completions } = spec;
  if (!isSet(successPolicy)) {
    return [];
  }
  const at = `${field}.successPolicy`;
  if (completionMode !== "Indexed") {
    return [invalid(at, "", "requires indexed completion mode")];
  }
  const rules = listOf(partOf(successPolicy)["rules"]);
  return [
    ...(rules.length === 0 ? [required(`${at}.rules`, "at least one rule must be specified")] : []),
    ...rules.flatMap((rule, index) => {
      const { succeededIndexes, succeededCount } = partOf(rule);
      const indexes = textOf(succeededIndexes);
      return [
        ...(isSet(succeededIndexes) || isSet(succeededCount)
          ? []
          : [
              required(`${at}.rules[${index}]`, "at least one of succeededCount or succeededIndexes must be specified"),
            ]),
        ...(isSet(succeededIndexes) && !areIndexes(indexes, Number(completions))
          ? [invalid(`${at}.rules[${index}].succeededIndexes`, indexes, "must be indexes below completions, in order")]
          : []),
      ];
    }),
  ];
};
