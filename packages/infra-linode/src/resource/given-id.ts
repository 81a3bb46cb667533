import type { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { byUser, linodeError } from "../cloud/errors.ts";

/** Where an object names a thing by its id, and what it calls such a thing. */
export interface GivenId {
  readonly field: string;
  readonly noun: string;
  readonly id: number;
}

/** Why nothing is made in the place of what a user named by an id that there is not. */
export const missingById = (object: KubeObject, { field, id, noun }: GivenId): CapstanError =>
  linodeError(
    "notFound",
    `${describeObject(object)}: ${field}: there is no ${noun} ${id} in the account; correct the id, or leave it out to have one made`,
    { retry: byUser },
  );

interface Thing extends KubeObject {
  readonly status?: { readonly ready?: boolean };
}

/** Throws where the id is a user's: the controller's own stands on what was ready once, and that is recreated when it is gone. */
export const refuseGivenId = (
  object: Thing,
  { id, ...at }: Omit<GivenId, "id"> & { readonly id: number | undefined },
): void => {
  if (id !== undefined && object.status?.ready !== true) throw missingById(object, { ...at, id });
};
