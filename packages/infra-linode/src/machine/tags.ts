import { withoutEpochs } from "@capstan/kit/engine";

/** Lengths the API accepts. */
const minLength = 3;
const maxLength = 50;

/** The tags an instance should have because of its object; a Cluster's name that cannot be a tag is left out. `identityTags` say whose it is. */
export const wantedTags = (input: {
  readonly specTags: readonly string[];
  readonly clusterName: string;
  readonly identityTags: readonly string[];
}): readonly string[] => {
  const { specTags, clusterName, identityTags } = input;
  const fits = clusterName.length >= minLength && clusterName.length <= maxLength;
  return [...new Set([...withoutEpochs(specTags), ...(fits ? [clusterName] : []), ...identityTags])];
};

/**
 * The tags to set, or `undefined` if nothing is to change. `managed` are those set before, as recorded in the status: what is no longer
 * wanted of them goes, tags of other people stay.
 */
export const tagsToSet = (input: {
  readonly wanted: readonly string[];
  readonly managed: readonly string[];
  readonly current: readonly string[];
}): readonly string[] | undefined => {
  const { wanted, managed, current } = input;
  const kept = current.filter((tag) => wanted.includes(tag) || !managed.includes(tag));
  const missing = wanted.filter((tag) => !current.includes(tag));
  return missing.length === 0 && kept.length === current.length ? undefined : [...kept, ...missing];
};
