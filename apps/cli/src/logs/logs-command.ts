import { Command } from "commander";
import { count } from "../flag-values.ts";
import { managementRequest, withManagementFlags, type ManagementFlags } from "../management-flags.ts";
import type { ManagementRequest } from "../management-session.ts";

/** Options of `capstan logs machine`. */
export interface LogsRequest extends ManagementRequest {
  readonly machine: string;
  /** Stay, and show every new line. */
  readonly follow: boolean;
  /** Only so many of the last lines. Default: all. */
  readonly tail: number | undefined;
}

/** `capstan logs machine`. */
export const logsCommand = (run: (request: LogsRequest) => Promise<number>, done: (status: number) => void): Command =>
  new Command("logs").description("Print the logs of a machine.").addCommand(
    withManagementFlags(
      new Command("machine")
        .description("Print the console of a simulated machine, or the bootstrap log reported by a real one.")
        .argument("<name>", "name of the Machine"),
    )
      .option("-f, --follow", "follow a simulated console")
      .option("--tail <lines>", "number of lines from the end", count)
      .addHelpText(
        "after",
        `
With the annotation capstan.dev/bootstrap-report, a real machine reports its bootstrap log after a failure.

Examples:
  capstan logs machine orchid-control-plane-0 --follow
  capstan logs machine orchid-workers-x2x4k-9xk2d --tail 50`,
      )
      .action(
        async (
          machine: string,
          { follow, tail, ...flags }: ManagementFlags & { readonly follow?: true; readonly tail?: number },
        ) => done(await run({ ...managementRequest(flags), machine, follow: follow === true, tail })),
      ),
  );
