import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { Hardware } from "../api/hardware.ts";
import { Template } from "../api/template.ts";
import { Workflow } from "../api/workflow.ts";
import { restoredAnnotation } from "../workflow/names.ts";
import { legacyId, type MigratedKind } from "./names.ts";
import type { MigrationStep } from "./plan-migration.ts";

/** Result of a step: `present` if an earlier run did it, `refused` or `skipped` with the reason. */
export type StepOutcome =
  | { readonly step: MigrationStep; readonly outcome: "created" | "present" }
  | { readonly step: MigrationStep; readonly outcome: "refused" | "skipped"; readonly why: string };

const resources: Readonly<Record<MigratedKind, Resource>> = { Hardware, Template, Workflow };

interface Target {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Writes the status of an ended Workflow, then removes the annotation that keeps it from running: it must not run without a status. */
const finish = async ({ status }: MigrationStep, there: KubeObject, { client, signal }: Target): Promise<void> => {
  if (status === undefined || there.metadata.annotations?.[restoredAnnotation] === undefined) return;
  const key = keyOf(there);
  await client.patch(Workflow, key, { type: "merge", body: { status } }, { subresource: "status", signal });
  const body = { metadata: { annotations: { [restoredAnnotation]: null } } };
  await client.patch(Workflow, key, { type: "merge", body }, { signal });
};

/** Returns the existing objects by the ids of the records that they were created from. */
const presentOf = async (kind: MigratedKind, namespace: string, { client, signal }: Target) => {
  const { items } = await client.list(resources[kind], { namespace, signal });
  return new Map(items.map((item) => [item.metadata.annotations?.[legacyId[kind]] ?? "", item]));
};

const refusals: readonly string[] = ["kube.already_exists", "kube.invalid", "kube.bad_request", "kube.forbidden"];

const apply = async (step: MigrationStep, present: Present, target: Target): Promise<StepOutcome> => {
  const { id, kind, object, skipped = "" } = step;
  if (object === undefined) return { step, outcome: "skipped", why: skipped };
  const found = present[kind].get(id);
  try {
    const there = found ?? (await target.client.create(resources[kind], object, { signal: target.signal }));
    await finish(step, there, target);
    return { step, outcome: found === undefined ? "created" : "present" };
  } catch (error) {
    if (!isCapstanError(error) || !refusals.includes(error.code)) throw error;
    return { step, outcome: "refused", why: error.message };
  }
};

type Present = Readonly<Record<MigratedKind, ReadonlyMap<string, KubeObject>>>;

/**
 * Creates what is not there yet, one after another. What was made of a record before is left as it is, under whatever name. It can be
 * interrupted and run again at any time.
 */
export const applyMigration = async (
  steps: readonly MigrationStep[],
  { namespace, ...target }: Target & { readonly namespace: string },
): Promise<readonly StepOutcome[]> => {
  const present: Present = {
    Hardware: await presentOf("Hardware", namespace, target),
    Template: await presentOf("Template", namespace, target),
    Workflow: await presentOf("Workflow", namespace, target),
  };
  const outcomes: StepOutcome[] = [];
  for (const step of steps) outcomes.push(await apply(step, present, target));
  return outcomes;
};
