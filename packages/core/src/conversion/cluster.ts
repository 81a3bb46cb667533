import { type Shape, each, failure, fields, groupReference, plainBool, statusMoves } from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";
import { topologyShape } from "./topology.ts";

const facts = fields([["controlPlane", "controlPlane", plainBool]]);
const listed = each(facts);

/** Failure domains by name that became a list, in the order of their names. */
const failureDomains: Shape = {
  up: (value, context) => {
    if (!isJsonObject(value)) return undefined;
    const names = Object.keys(value).toSorted();
    return listed.up(
      names.map((name) => ({ name, ...(value[name] as object) })),
      context,
    );
  },
  down: (value) =>
    Array.isArray(value)
      ? Object.fromEntries(value.map(({ name, ...rest }: { readonly name: string }) => [name, rest]))
      : undefined,
};

export const clusterShape = fields(
  [
    ["spec.paused", "spec.paused", plainBool],
    ["spec.controlPlaneRef", "spec.controlPlaneRef", groupReference],
    ["spec.infrastructureRef", "spec.infrastructureRef", groupReference],
    ["spec.topology", "spec.topology", topologyShape],
    ["status.failureDomains", "status.failureDomains", failureDomains],
    ["status.infrastructureReady", "status.initialization.infrastructureProvisioned", plainBool],
    ["status.controlPlaneReady", "status.initialization.controlPlaneInitialized", plainBool],
    ...statusMoves(failure, ["controlPlane", "workers"]),
  ],
  {
    omits: ["spec.paused"],
    zeros: {
      "spec.controlPlaneEndpoint": {},
      "spec.controlPlaneEndpoint.host": "",
      "spec.controlPlaneEndpoint.port": 0,
      status: {},
      "status.infrastructureReady": false,
      "status.controlPlaneReady": false,
    },
  },
);
