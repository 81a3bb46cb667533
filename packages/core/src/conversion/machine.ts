import {
  type Move,
  type Shape,
  deletionMoves,
  failure,
  fields,
  groupReference,
  plainBool,
  statusMoves,
} from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

const machineSpecMoves: readonly Move[] = [
  ["bootstrap.configRef", "bootstrap.configRef", groupReference],
  ["infrastructureRef", "infrastructureRef", groupReference],
  ...deletionMoves,
];

/** A required object stays even when its only member moves. */
const keptBootstrap =
  (step: Shape["up"]): Shape["up"] =>
  (value, context) =>
    isJsonObject(value) ? { bootstrap: {}, ...(step(value, context) as object) } : value;

const withBootstrap = ({ up, down }: Shape): Shape => ({ up: keptBootstrap(up), down: keptBootstrap(down) });

/** The spec of a Machine of its own. */
const machineSpec = withBootstrap(fields(machineSpecMoves, { newer: ["minReadySeconds"] }));

/** The spec of a Machine in a template, whose readiness the older version has beside the template. */
export const machineTemplateSpec = withBootstrap(fields(machineSpecMoves));

const nodeRef: Shape = {
  up: (value) => (isJsonObject(value) && value["name"] ? { name: value["name"] } : undefined),
  down: (value) => (isJsonObject(value) ? { apiVersion: "v1", kind: "Node", name: value["name"] } : undefined),
};

/** The older version has no word for a Machine that is updated in place. */
const phase: Shape = { up: (value) => value, down: (value) => (value === "Updating" ? "Running" : value) };

export const machineShape = fields(
  [
    ["spec", "spec", machineSpec],
    ["status.nodeRef", "status.nodeRef", nodeRef],
    ["status.phase", "status.phase", phase],
    ["status.bootstrapReady", "status.initialization.bootstrapDataSecretCreated", plainBool],
    ["status.infrastructureReady", "status.initialization.infrastructureProvisioned", plainBool],
    ...statusMoves(failure),
  ],
  {
    newer: ["status.failureDomain"],
    zeros: { status: {}, "status.bootstrapReady": false, "status.infrastructureReady": false },
  },
);
