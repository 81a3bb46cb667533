import { isCapstanError } from "@capstan/contract";
import type { Identity } from "@capstan/kit/machine";

const minLength = 3;
const uidPart = 8;

/** A label for a thing of an object that no one else has. */
export const ownLabel = ({ name, uid }: Pick<Identity, "name" | "uid">, maxLength: number): string =>
  `${name.slice(0, maxLength - uidPart - 1).replace(/[-_.]+$/, "")}-${uid.slice(0, uidPart)}`;

/** Labels for a thing of an object, in the order to try: its name, and one that no one else has. */
export const labelsFor = (identity: Pick<Identity, "name" | "uid">, maxLength: number): readonly string[] => {
  const own = ownLabel(identity, maxLength);
  const { name } = identity;
  return name.length >= minLength && name.length <= maxLength ? [name, own] : [own];
};

/**
 * Creates something whose label must be unique in the account. A label that is taken by our own thing means that an answer was lost; one
 * taken by a stranger's means that another label is needed. Returns what was made, `undefined` if it had been there.
 */
export const createLabelled = async <T>(
  labels: readonly string[],
  verbs: { readonly create: (label: string) => Promise<T>; readonly isOurs: (label: string) => Promise<boolean> },
): Promise<T | undefined> => {
  for (const [index, label] of labels.entries()) {
    try {
      return await verbs.create(label);
    } catch (error) {
      if (!isCapstanError(error, "linode.label_taken")) throw error;
      if (await verbs.isOurs(label)) return undefined;
      if (index === labels.length - 1) throw error;
    }
  }
  return undefined;
};
