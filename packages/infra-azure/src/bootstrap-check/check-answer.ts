import type { BootstrapReport } from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { outputsIn } from "../cloud/run-command.ts";
import { checkName } from "./check-command.ts";

/** Returns the status messages of an extension, as the agent worded them, one a line. */
const messageOf = (properties: unknown): string => {
  const view = isJsonObject(properties) ? properties["instanceView"] : undefined;
  const statuses = isJsonObject(view) ? view["statuses"] : undefined;
  return (Array.isArray(statuses) ? statuses : [])
    .flatMap((status: unknown) => {
      const message = isJsonObject(status) ? status["message"] : undefined;
      return typeof message === "string" ? [message] : [];
    })
    .join("\n");
};

/** Answer of the check in a machine: a verdict, and the log that came with it. */
export interface CheckAnswer {
  readonly state: Extract<BootstrapReport["state"], "running" | "succeeded" | "failed" | "timedOut">;
  /** Log of a check that did not find success. */
  readonly log?: string;
}

/**
 * The verdict by the provisioning state of the bootstrap extension: failed stays failed, however often it is looked at, and what goes on is
 * waited for.
 */
export const checkAnswer = (extension: { readonly properties?: unknown }): CheckAnswer => {
  if (isChanging(extension)) return { state: "running" };
  if (provisioningStateOf(extension) === "Succeeded") return { state: "succeeded" };
  const message = messageOf(extension.properties);
  const { stderr, stdout } = outputsIn(message);
  const [first = "", ...lines] = stdout.split("\n");
  // The check printed nothing: it could not run, or another user's agent did not wait for it.
  if (!first.startsWith(`${checkName} `)) return { state: "failed", log: [message, stderr].join("\n").trim() };
  const isTimeOver = first === `${checkName} timed-out`;
  return { state: isTimeOver ? "timedOut" : "failed", log: lines.join("\n") };
};

/**
 * Parses the output of a look into a machine. Any other output means that the look failed: it counts as running, and the look is repeated.
 */
export const lookAnswer = (stdout: string): CheckAnswer => {
  const [first = "", ...lines] = stdout.split("\n");
  if (first === `${checkName} succeeded`) return { state: "succeeded" };
  return first === `${checkName} failed` ? { state: "failed", log: lines.join("\n") } : { state: "running" };
};
