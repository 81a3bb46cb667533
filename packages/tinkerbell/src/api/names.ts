import { Label } from "@capstan/contract";

/** The group of Hardware, Template, Workflow and WorkflowRuleSet. */
const tinkerbellGroup = "tinkerbell.org";

/** The group of board management: Machine, Job and Task. */
const bmcGroup = "bmc.tinkerbell.org";

const common = { version: "v1alpha1", categories: ["tinkerbell"], labels: { [Label.provider]: "tinkerbell" } } as const;

/** Fields that all kinds of Tinkerbell share. */
export const tinkerbellKind = { ...common, group: tinkerbellGroup } as const;

/** Fields that all kinds of board management share. */
export const bmcKind = { ...common, group: bmcGroup } as const;

/** Labels of kinds whose objects move with a cluster. */
export const movedLabels = { ...common.labels, [Label.clusterctl]: "", [Label.move]: "" } as const;
