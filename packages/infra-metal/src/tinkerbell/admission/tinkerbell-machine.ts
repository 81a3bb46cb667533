import { forbidden, invalid, required, selectorCauses, tooLong, unchanged } from "@capstan/kit/admission";
import { maxLabelLength } from "@capstan/kube-values";
import { type Cause, sameJson } from "@capstan/schema";
import { mostAffinityTerms } from "../api/hardware-affinity.ts";
import type { TinkerbellMachineTemplate } from "../api/tinkerbell-machine-template.v1beta1.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { checkImageFormat } from "./image-format.ts";

type Spec = NonNullable<TinkerbellMachine["spec"]>;

const checkTerms = (affinity: Spec["hardwareAffinity"], field: string): readonly Cause[] => [
  ...(affinity?.required ?? []).flatMap(({ labelSelector }, index) =>
    selectorCauses(labelSelector, `${field}.required[${index}].labelSelector`),
  ),
  ...(affinity?.preferred ?? []).flatMap(({ hardwareAffinityTerm: { labelSelector } }, index) =>
    selectorCauses(labelSelector, `${field}.preferred[${index}].hardwareAffinityTerm.labelSelector`),
  ),
];

const checkAffinity = (affinity: Spec["hardwareAffinity"], field: string): readonly Cause[] =>
  (affinity?.required?.length ?? 0) + (affinity?.preferred?.length ?? 0) <= mostAffinityTerms
    ? checkTerms(affinity, field)
    : [tooLong(field, `at most ${mostAffinityTerms} terms, of required and preferred together`)];

const checkBootOptions = (options: Spec["bootOptions"], field: string): readonly Cause[] => {
  const { bootMode, custombootConfig, isoURL = "" } = options ?? {};
  const isIso = bootMode === "isoboot" || bootMode === "iso";
  return [
    ...(isIso && isoURL === ""
      ? [required(`${field}.isoURL`, `the boot mode ${bootMode} needs the installer's ISO`)]
      : []),
    ...(isoURL !== "" && !URL.canParse(isoURL) ? [invalid(`${field}.isoURL`, isoURL, "is not an address")] : []),
    ...(bootMode === "customboot" && custombootConfig === undefined
      ? [required(`${field}.custombootConfig`, "the boot mode customboot needs what the BMC is to do")]
      : []),
  ];
};

const checkSpec = (spec: Spec, field: string): readonly Cause[] => [
  ...checkImageFormat(spec.imageLookupFormat, `${field}.imageLookupFormat`),
  ...checkAffinity(spec.hardwareAffinity, `${field}.hardwareAffinity`),
  ...checkBootOptions(spec.bootOptions, `${field}.bootOptions`),
];

/** The name becomes a label of what the machine has. */
const checkName = (name: string): readonly Cause[] =>
  name.length <= maxLabelLength
    ? []
    : [tooLong("metadata.name", `it becomes a label of Hardware: at most ${maxLabelLength} characters`)];

/** Returns the problems of a machine. The fields that identify its Hardware are immutable once set. */
export const checkMachine = ({ metadata, spec = {} }: TinkerbellMachine, old?: TinkerbellMachine): readonly Cause[] => [
  ...checkName(metadata.name ?? ""),
  ...checkSpec(spec, "spec"),
  ...(["hardwareName", "providerID"] as const).flatMap((name) =>
    unchanged(`spec.${name}`, old?.spec?.[name], spec[name]),
  ),
];

/** Returns the problems of a template. It must not set the fields of a single machine, and it is immutable. */
export const checkTemplate = (
  { spec }: TinkerbellMachineTemplate,
  old?: TinkerbellMachineTemplate,
): readonly Cause[] => {
  const field = "spec.template.spec";
  const machine = spec?.template.spec ?? {};
  const named = (["hardwareName", "providerID"] as const).flatMap((name) =>
    machine[name] === undefined ? [] : [forbidden(`${field}.${name}`, "is of one machine; leave it out of templates")],
  );
  const isChanged = old !== undefined && !sameJson(old.spec, spec);
  return [
    ...checkSpec(machine, field),
    ...named,
    ...(isChanged ? [forbidden("spec", "a template is immutable; create a new one")] : []),
  ];
};
