import { isCapstanError } from "@capstan/contract";

/** Resolves to the list, or to no objects if the server does not know the kind. */
export const orNone = async <T>(list: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await list;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return [];
    throw error;
  }
};
