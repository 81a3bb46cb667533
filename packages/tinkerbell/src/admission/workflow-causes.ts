import { forbidden, required, unchanged } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { Workflow } from "../api/workflow.ts";
import { stateOf } from "../workflow/status.ts";

type BootOptions = NonNullable<NonNullable<Workflow["spec"]>["bootOptions"]>;

const bootCauses = ({ bootMode, custombootConfig, isoURL = "" }: BootOptions): readonly Cause[] => {
  const path = "spec.bootOptions";
  if ((bootMode === "iso" || bootMode === "isoboot") && isoURL === "") {
    return [required(`${path}.isoURL`, `the boot mode ${bootMode} puts this image in`)];
  }
  if (bootMode === "customboot" && custombootConfig === undefined) {
    return [required(`${path}.custombootConfig`, "the boot mode customboot does what it says")];
  }
  return [];
};

/** Returns the problems of a Workflow. Its references, hardware map and boot options are immutable once its Template is rendered. */
export const workflowCauses = ({ spec = {} }: Workflow, old?: Workflow): readonly Cause[] => {
  const { bootOptions = {}, hardwareRef = "", templateRef = "" } = spec;
  const boots = bootOptions.toggleAllowNetboot === true || bootOptions.bootMode !== undefined;
  const fixed = ["templateRef", "hardwareRef", "hardwareMap", "bootOptions"] as const;
  const started = old !== undefined && stateOf(old.status) !== "";
  return [
    ...(templateRef === "" ? [required("spec.templateRef", "the name of a Template in the same namespace")] : []),
    ...(boots && hardwareRef === "" ? [required("spec.hardwareRef", "the machine that bootOptions are about")] : []),
    ...bootCauses(bootOptions),
    ...(started
      ? fixed.flatMap((name) => unchanged(`spec.${name}`, old.spec?.[name] ?? null, spec[name] ?? null))
      : []),
    ...(started && spec.disabled === true && old.spec?.disabled !== true
      ? [forbidden("spec.disabled", "the workflow has begun; delete it to end it")]
      : []),
  ];
};
