import type { MergePatch } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { SharedInventory } from "./inventory.ts";
import {
  installationCurrent,
  installationCurrentCondition,
  installationService,
  InstallationView,
} from "./installation.ts";
import type { AuthorOf, LifeTypes } from "./object-author.ts";
import type { Observation } from "./observation.ts";
import type { Visit } from "./visit.ts";

/** Who the manager is at an object's cloud, where there is one. See decision 61. */
export const installationFor = async <T extends LifeTypes>(
  { author, cloud }: { readonly author: Pick<AuthorOf<T>, "connect">; readonly cloud: string },
  object: KubeObject,
  context: ReconcileContext,
): Promise<InstallationView | undefined> => {
  if (author.connect === undefined) return undefined;
  return InstallationView.open(context.findService(installationService), { cloud, object, signal: context.signal });
};

/** Called after each observation: notes what the marks say, and adopts a moved object. Throws `installation.superseded`. */
export const judgeMarks = async <T extends LifeTypes>(
  visit: Visit<T>,
  observation: Observation<T["facts"]>,
  inventory: SharedInventory<T["api"], T["item"]> | undefined,
): Promise<void> => {
  const { changes, installation, reconcile } = visit;
  const { object } = changes;
  // What is gone can be let go by anybody.
  if (observation.state === "absent" && isBeingDeleted(object)) return;
  try {
    visit.marks = await installation?.judge(object, visit.tagsOf(observation), reconcile.signal);
  } catch (error) {
    inventory?.settle(object.metadata.uid ?? "", true);
    throw error;
  }
  if (visit.marks?.isOwn === true) changes.merge(installation?.claim(object) ?? {});
  if (changes.conditionOf(installationCurrentCondition)?.status === "False") changes.condition(installationCurrent);
};

/** The verb by which the thing is marked, where that is due. What continues at a cloud is not disturbed for it. */
export const dueMark = <T extends LifeTypes>(
  visit: Visit<T>,
  { mark }: Pick<AuthorOf<T>, "mark">,
  { state }: Observation<T["facts"]>,
): AuthorOf<T>["mark"] =>
  visit.marks?.isDue === true && (state === "present" || state === "failed") ? mark : undefined;

/** By which a new object records who manages what it will have. */
export const newClaim = <T extends LifeTypes>({ changes, installation }: Visit<T>): MergePatch =>
  installation?.claim(changes.object) ?? {};
