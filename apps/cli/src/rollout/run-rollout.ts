import { systemClock } from "@capstan/runtime";
import { withManagement } from "../management-session.ts";
import type { MachineDeployment } from "@capstan/core/api";
import { isPassing, pause, restart, resume } from "./rollout-actions.ts";
import { type DocumentOutput, documentText } from "../document-output.ts";
import { historyTable } from "./rollout-history.ts";
import type { RolloutOptions, RolloutRequest, RolloutTarget } from "./rollout-options.ts";
import type { RolloutStatus } from "@capstan/inspect";
import { findSubject, rolloutSubjects, type RolloutEnvironment } from "./rollout-subjects.ts";
import { revisionsOf, undo } from "./rollout-undo.ts";

const pollMs = 1000;

const write = (line: string): void => void process.stdout.write(`${line}\n`);

const showHistory = async (
  environment: RolloutEnvironment,
  options: RolloutTarget & { readonly output: DocumentOutput },
): Promise<void> => {
  const revisions = await revisionsOf(environment, (await findSubject(environment, options)) as MachineDeployment);
  if (options.output === "yaml") return environment.write((await documentText(revisions, "yaml")).trimEnd());
  const lines = options.output === "json" ? revisions.map((entry) => JSON.stringify(entry)) : historyTable(revisions);
  for (const line of lines) environment.write(line);
};

/** Shows each change of the status until the rollout is over; the exit status says how it ended. */
export const followRollout = async (
  environment: RolloutEnvironment,
  options: Extract<RolloutOptions, { readonly action: "status" }>,
): Promise<number> => {
  const { clock, signal } = environment;
  const end = options.timeoutMs === 0 ? Number.POSITIVE_INFINITY : clock.now() + options.timeoutMs;
  let shown = "";
  const show = ({ state, text }: RolloutStatus): void => {
    if (text === shown) return;
    shown = text;
    environment.write(options.output === "json" ? JSON.stringify({ state, message: text }) : text);
  };
  const look = async (): Promise<RolloutStatus> =>
    rolloutSubjects[options.kind].status(environment, await findSubject(environment, options));
  let status = await look();
  show(status);
  while (options.watch && status.state === "underway") {
    if (clock.now() >= end) {
      show({ state: "underway", text: `not complete after ${options.timeoutMs / 1000} s` });
      return 1;
    }
    await clock.sleep(pollMs, { signal });
    try {
      status = await look();
      show(status);
    } catch (error) {
      if (!isPassing(error)) throw error;
      show({ state: "underway", text: `the management API is unreachable: ${(error as Error).message}` });
    }
  }
  return status.state === "done" ? 0 : 1;
};

/** Does what was asked; resolves to the exit status. */
export const performRollout = async (options: RolloutOptions, environment: RolloutEnvironment): Promise<number> => {
  if (options.action === "status") return followRollout(environment, options);
  if (options.action === "history") await showHistory(environment, options);
  else if (options.action === "undo") await undo(environment, options);
  else await { restart, pause, resume }[options.action](environment, options);
  return 0;
};

/** `capstan rollout`: resolves to the exit status. */
export const runRollout = (request: RolloutRequest): Promise<number> =>
  withManagement(request, ({ client, namespace, signal }) =>
    performRollout({ ...request, namespace }, { client, clock: systemClock, signal, write }),
  );
