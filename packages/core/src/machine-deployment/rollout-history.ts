import { type ObjectMeta, sameJson } from "@capstan/schema";
import { isControlledBy } from "@capstan/kit/machines";
import type { MachineDeployment, MachineSet } from "../api.ts";
import { revisionOf } from "../rollout/revision.ts";
import { replacedFields } from "../rollout/template-match.ts";

/** Annotation of a MachineDeployment in which its last revisions are kept, so that it can return to them: JSON. */
export const rolloutHistoryAnnotation = "capstan.dev/rollout-history";

/** One revision of the template that Machines are made from. */
export interface RolloutRevision {
  readonly revision: number;
  /** RFC 3339: since when it is rolled out. */
  readonly since: string;
  readonly template: ReturnType<typeof replacedFields>;
}

const keptRevisions = 10;

const isRevision = (entry: unknown): entry is RolloutRevision => {
  const { revision, since, template } = (entry ?? {}) as Partial<Record<keyof RolloutRevision, unknown>>;
  return Number.isInteger(revision) && typeof since === "string" && typeof template === "object" && template !== null;
};

/** The revisions of a deployment, from old to new; what cannot be read is left out. */
export const rolloutHistory = ({ metadata }: { readonly metadata: ObjectMeta }): readonly RolloutRevision[] => {
  try {
    const entries: unknown = JSON.parse(metadata.annotations?.[rolloutHistoryAnnotation] ?? "[]");
    return Array.isArray(entries) ? entries.filter(isRevision) : [];
  } catch {
    return [];
  }
};

/**
 * The value of the annotation with the present template as `revision`: an older revision with the same template makes
 * room for it, and the oldest goes when there are more than ten.
 */
export const historyWith = (deployment: MachineDeployment, revision: number, since: string): string => {
  const template = replacedFields(deployment.spec.template.spec);
  const history = rolloutHistory(deployment);
  const last = history.at(-1);
  const present = deployment.metadata.annotations?.[rolloutHistoryAnnotation];
  if (present !== undefined && last?.revision === revision && sameJson(last.template, template)) return present;
  const others = history.filter((entry) => entry.revision !== revision && !sameJson(entry.template, template));
  return JSON.stringify([...others, { revision, since, template }].slice(-keptRevisions));
};

/**
 * Every revision a deployment can return to, from old to new: those of its history, and those of its sets, which know
 * theirs also where another controller keeps the deployment. Of several with the same template the last counts.
 */
export const knownRevisions = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
): readonly RolloutRevision[] => {
  const revisions = new Map<number, RolloutRevision>();
  for (const set of sets) {
    const revision = revisionOf(set);
    if (revision === 0 || !isControlledBy(set, deployment)) continue;
    const template = replacedFields(set.spec.template.spec);
    revisions.set(revision, { revision, since: set.metadata.creationTimestamp ?? "", template });
  }
  for (const entry of rolloutHistory(deployment)) revisions.set(entry.revision, entry);
  return [...revisions.values()]
    .sort((a, b) => a.revision - b.revision)
    .filter(({ template }, index, all) => !all.slice(index + 1).some((later) => sameJson(later.template, template)));
};
