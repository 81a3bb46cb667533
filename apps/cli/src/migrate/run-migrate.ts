import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { systemClock, cryptoRandom } from "@capstan/runtime";
import {
  applyMigration,
  planMigration,
  readExports,
  type MigrationParts,
  type MigrationStep,
  type StepOutcome,
} from "@capstan/tinkerbell/migration";
import { documentText } from "../document-output.ts";
import { withManagement, type ManagementSession } from "../management-session.ts";
import type { MigrateRequest } from "./migrate-options.ts";

const unreadable = (message: string, cause: unknown): CapstanError =>
  new CapstanError({ code: "migrate.unreadable", reason: "Unreadable", message, retry: { kind: "never" }, cause });

const documentIn = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    throw unreadable(`${file}: ${(error as Error).message}; write JSON with tink's --format json`, error);
  }
};

const exportsIn = (files: readonly string[]): ReturnType<typeof readExports> => {
  try {
    return readExports(files.map((name) => ({ name, document: documentIn(name) })));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable(error.message, error);
  }
};

type Reported = StepOutcome | { readonly step: MigrationStep; readonly outcome: "would be created" };

/** Returns the report on one record. */
const entryOf = (reported: Reported) => {
  const { step } = reported;
  const name = step.object?.metadata.name;
  return {
    kind: step.kind,
    id: step.id,
    ...(name !== undefined && { name }),
    outcome: reported.outcome,
    ...("why" in reported && { why: reported.why }),
    ...(step.notes.length > 0 && { notes: step.notes }),
  };
};

const lineOf = ({ id, kind, name, notes = [], outcome, why }: ReturnType<typeof entryOf>): string => {
  const said = [`${kind} ${name ?? id}: ${outcome}${why === undefined ? "" : `: ${why}`}`, ...notes];
  return `${said.join("\n  ")}\n`;
};

const countsOf = (entries: readonly { readonly outcome: string }[]): string => {
  const groups = Map.groupBy(entries, ({ outcome }) => outcome);
  return [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(", ");
};

const report = async (
  reported: readonly Reported[],
  { dryRun, output }: MigrateRequest,
  write: (text: string) => void,
): Promise<void> => {
  const entries = reported.map(entryOf);
  if (output === "text") {
    for (const entry of entries) write(lineOf(entry));
    return write(`${entries.length === 0 ? "nothing to migrate" : countsOf(entries)}\n`);
  }
  const objects = reported.flatMap(({ step: { object, status } }) =>
    object === undefined ? [] : [{ ...object, ...(status !== undefined && { status }) }],
  );
  write(await documentText({ records: entries, ...(dryRun && { objects }) }, output));
};

const planned = (request: MigrateRequest, namespace: string): readonly MigrationStep[] => {
  const parts: MigrationParts = { namespace, clock: systemClock, random: cryptoRandom };
  return planMigration(exportsIn(request.files), parts);
};

const unapplied = (step: MigrationStep): Reported =>
  step.object === undefined
    ? { step, outcome: "skipped", why: step.skipped ?? "" }
    : { step, outcome: "would be created" };

/** Does what was asked, against the management API of a session; resolves to the exit status. */
export const performMigrate = async (
  request: MigrateRequest,
  { client, namespace, signal }: Pick<ManagementSession, "client" | "namespace" | "signal">,
  write: (text: string) => void,
): Promise<number> => {
  const steps = planned(request, namespace);
  if (request.dryRun) {
    await report(steps.map(unapplied), request, write);
    return 0;
  }
  const outcomes = await applyMigration(steps, { client, namespace, signal });
  await report(outcomes, request, write);
  return outcomes.some(({ outcome }) => outcome === "refused") ? 1 : 0;
};

/** `capstan migrate tinkerbell`: resolves to the exit status. */
export const runMigrate = (request: MigrateRequest, write: (text: string) => void): Promise<number> =>
  withManagement(request, (session) => performMigrate(request, session, write));
