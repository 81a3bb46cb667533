import type { Meant } from "./requests.ts";

const isStored = /^\{"upstream":\{"accepted"/;

/** Differences of what core answers to requests that are meant. */
export const requestsMeant: Meant = [
  [
    /^Cluster \| a topology(, in the older version)?$/,
    "a topology is stored here, and counts once its references are set",
  ],
  [
    /^Machine(Set|Deployment) \| replicas below zero$/,
    "the schema refuses them as well as the scale does, and so do tools that have nothing but the schema",
    /"upstream":\{"refused":\["FieldValueInvalid \.spec\.replicas"\]\},"ours":\{"refused":\["FieldValueInvalid \.spec\.replicas","FieldValueInvalid spec\.replicas"\]\}/,
  ],
  [
    /^MachineDeployment \| (a surge below zero|bounds of zero percent)(, in the older version)?$/,
    "with these no Machine could ever be replaced",
    isStored,
  ],
  [/^MachineHealthCheck \| a range the wrong way(, in the older version)?$/, "no number is in such a range", isStored],
  [
    /^MachineDeployment \| a strategy without a type(, in the older version)?$/,
    "v1beta2 demands the type; upstream's webhook fills in the default before that is checked",
    isStored,
  ],
  [
    /^Machine(Set|Deployment|HealthCheck) \| an odd (selector|expression)$/,
    "the part of the selector that is wrong is named",
    /"ours":\{"refused":\["FieldValue(Invalid|Required) spec\.selector\.match/,
  ],
  [
    /^Machine(Set|Deployment) \| odd labels$/,
    "each label that is wrong is named",
    /"FieldValueInvalid spec\.template\.metadata\.labels\[d\]"/,
  ],
  [
    /^Machine(Set|Deployment) \| (a selector that selects nothing|another cluster, afterwards)$/,
    "the labels are named, as a value that can be mended, and beside them every other field that is wrong",
    /"FieldValueInvalid spec\.template\.metadata\.labels"/,
  ],
  [
    /^MachineDeployment \| a long name$/,
    "only the name is wrong; selector and labels are made from it",
    /"ours":\{"refused":\["FieldValueInvalid metadata\.name"\]\}/,
  ],
  [
    /^Machine(Set|Deployment) \| a bound that is no number$/,
    "the annotation cannot be read, which is no question of rights",
    /"upstream":\{"refused":\["kube\.forbidden"\]\},"ours":\{"refused":\["kube\.bad_request"\]\}/,
  ],
  [
    /^Machine \| the older version with no duration/,
    "what is no duration counts as absent",
    /"kube\.unknown"|^\{"ours"/,
  ],
  [
    /^Machine \| the older version without references$/,
    "the schema is asked first",
    /"ours":\{"refused":\["FieldValueRequired spec\.infrastructureRef"\]\}/,
  ],
];
