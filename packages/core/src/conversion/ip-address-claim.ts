import { type Move, type Shape, fields, statusMoves } from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

/** The older versions have an empty name for an address that is not there yet. */
const address: Shape = {
  up: (value) => (isJsonObject(value) && value["name"] ? value : undefined),
  down: (value) => value,
};

const addressMove: Move = ["status.addressRef", "status.addressRef", address];

export const ipAddressClaimShape = fields([addressMove, ...statusMoves([])]);

/** v1alpha1 knows conditions of the first API generation only. */
export const firstClaimShape = fields([addressMove, ["status.conditions", "status.deprecated.v1beta1.conditions"]], {
  newer: ["spec.clusterName", "status.conditions"],
});
