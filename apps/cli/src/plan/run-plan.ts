import { cryptoRandom, proxyFromEnvironment, systemClock } from "@capstan/runtime";
import { checkManifestPaths, readManifestFiles } from "../manifest/read-manifests.ts";
import { runCommand } from "../run-command.ts";
import { documentText, logOutput } from "../document-output.ts";
import { isColoured, loggerFor } from "../terminal.ts";
import { makePlan } from "./make-plan.ts";
import { openApi } from "./open-api.ts";
import { hasWork } from "./plan.ts";
import type { PlanOptions } from "./plan-command.ts";
import { planJson, renderPlan } from "./render-plan.ts";

/** `capstan plan`: resolves to the exit status: 0 nothing to do, 2 something to do, 1 something is wrong. */
export const runPlan = (options: PlanOptions, write: (text: string) => void): Promise<number> =>
  runCommand({ interrupted: 130 }, (signal) => plan(options, write, signal));

const plan = async (options: PlanOptions, write: (text: string) => void, signal: AbortSignal): Promise<number> => {
  checkManifestPaths(options.files);
  const cleanups: (() => Promise<void> | void)[] = [];
  try {
    const proxyFor = proxyFromEnvironment(process.env);
    const outside = {
      clock: systemClock,
      random: cryptoRandom,
      log: loggerFor({ ...options, output: logOutput(options.output) }),
      proxyFor,
      signal,
    };
    const variables = (name: string): string | undefined => process.env[name];
    const { client, providers, variable } = await openApi(options, { ...outside, variables }, cleanups);
    const files = await readManifestFiles(options.files, variable, { proxyFor, signal, recursive: options.recursive });
    const manifests = files.flatMap(({ objects }) => objects);
    const { namespace, prune = false } = options;
    const made = await makePlan(manifests, { client, providers, namespace, prune, signal });
    write(
      options.output === "text"
        ? renderPlan(made, { ofFiles: files.length > 0, colour: isColoured() })
        : await documentText(planJson(made), options.output),
    );
    if (made.problems.length > 0) return 1;
    return hasWork(made) ? 2 : 0;
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
};
