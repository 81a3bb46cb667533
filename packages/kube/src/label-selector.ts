import { CapstanError } from "@capstan/contract";
import { type LabelRequirement, parseLabelRequirements } from "@capstan/kube-values";

/** Parses a `labelSelector`. Throws `kube.bad_request` when it cannot be read. */
export const readLabelSelector = (selector: string): readonly LabelRequirement[] => {
  const requirements = parseLabelRequirements(selector);
  if (requirements !== undefined) return requirements;
  throw new CapstanError({
    code: "kube.bad_request",
    reason: "BadRequest",
    message: `invalid label selector "${selector}"; expected for example "a=b,c in (d,e),!f"`,
    retry: { kind: "never" },
  });
};
