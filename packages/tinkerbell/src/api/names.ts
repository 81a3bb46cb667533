import { Label } from "@capstan/contract";

/** The group of Hardware, Template, Workflow and WorkflowRuleSet. */
const tinkerbellGroup = "tinkerbell.org";

/** The group of board management: Machine, Job and Task. */
const bmcGroup = "bmc.tinkerbell.org";

const common = { version: "v1alpha1", categories: ["tinkerbell"], labels: { [Label.provider]: "tinkerbell" } } as const;

/** What all kinds of Tinkerbell have in common. */
export const tinkerbellKind = { ...common, group: tinkerbellGroup } as const;

/** What all kinds of board management have in common. */
export const bmcKind = { ...common, group: bmcGroup } as const;

/** Labels of kinds whose objects move with a cluster. */
export const movedLabels = { ...common.labels, [Label.clusterctl]: "", [Label.move]: "" } as const;
