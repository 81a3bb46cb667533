import { annotationCauses, invalid, labelCauses, selectorCauses } from "@capstan/kit/admission";
import { Annotation, isCapstanError } from "@capstan/contract";
import { isEmptySelector, selects } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import { machineName } from "@capstan/kit/machines";
import type { MachineDeployment, MachinePool, MachineSet } from "../api.ts";
import { PreflightCheck } from "../machine-set/preflight.ts";
import { bootstrapCauses, clusterCauses, machineSpecCauses } from "./machine.ts";

const selectorRules = ({ spec }: MachineSet | MachineDeployment): readonly Cause[] => {
  if (isEmptySelector(spec.selector)) return [invalid("spec.selector", spec.selector, "must not be empty")];
  const unreadable = selectorCauses(spec.selector, "spec.selector");
  if (unreadable.length > 0) return unreadable;
  const { labels = {} } = spec.template.metadata ?? {};
  return selects(spec.selector, labels)
    ? []
    : [invalid("spec.template.metadata.labels", labels, "must match spec.selector")];
};

/** The same for every name that the template makes. */
const seed = { next: () => 0, bytes: (length: number) => new Uint8Array(length) };

const namingCauses = ({ metadata, spec }: MachineSet | MachineDeployment): readonly Cause[] => {
  const template = spec.machineNaming?.template;
  if (template === undefined) return [];
  try {
    machineName(template, { ".machineSet.name": metadata.name ?? "set", ".cluster.name": spec.clusterName }, seed);
    return [];
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return [invalid("spec.machineNaming.template", template, error.message)];
  }
};

const knownChecks: readonly string[] = Object.values(PreflightCheck);

const preflightCauses = ({ metadata }: MachineSet | MachineDeployment): readonly Cause[] =>
  (metadata.annotations?.[Annotation.skipPreflightChecks] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !knownChecks.includes(name))
    .map((name) =>
      invalid(
        `metadata.annotations.${Annotation.skipPreflightChecks}`,
        name,
        `must be one of ${knownChecks.join(", ")}`,
      ),
    );

/** Validates the rules shared by all templates of Machines. */
export const machineTemplateCauses = <T extends MachineSet | MachineDeployment | MachinePool>(
  { spec }: T,
  old: T | undefined,
): readonly Cause[] => {
  const { template } = spec;
  return [
    ...(template.spec.clusterName === spec.clusterName
      ? []
      : [invalid("spec.clusterName", spec.clusterName, "must be the same as spec.template.spec.clusterName")]),
    ...clusterCauses({ spec }, old),
    ...machineSpecCauses(template.spec, "spec.template.spec", { isControlPlane: false }),
    ...bootstrapCauses(template.spec, "spec.template.spec"),
    ...labelCauses(template.metadata?.labels, "spec.template.metadata.labels"),
    ...annotationCauses(template.metadata?.annotations, "spec.template.metadata.annotations"),
  ];
};

/** Validates the rules shared by all kinds that make Machines from a template. */
export const machineMakerCauses = <T extends MachineSet | MachineDeployment>(
  object: T,
  old: T | undefined,
): readonly Cause[] => [
  ...selectorRules(object),
  ...machineTemplateCauses(object, old),
  ...namingCauses(object),
  ...preflightCauses(object),
];

/** Validates a MachineSet. */
export const validateMachineSet = (set: MachineSet, old: MachineSet | undefined): readonly Cause[] =>
  machineMakerCauses(set, old);
