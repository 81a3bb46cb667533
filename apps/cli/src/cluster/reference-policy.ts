import { anyReference, type ReferencePolicy } from "@capstan/kit/admission";
import type { ReferenceRule } from "./reference-flags.ts";

/** The policy that a rule is: of `admitted`, the one that knows the marks. Default: that of the embedded API server. */
export const policyOf = (rule: ReferenceRule | undefined, admitted?: ReferencePolicy): ReferencePolicy | undefined =>
  rule === "any" ? anyReference : admitted;
