import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { agentCommand } from "./agent/agent-command.ts";
import { serveCommand } from "./serve/serve-command.ts";

/** The command `capstan-metal`. */
export const createProgram = (): Command =>
  new Command("capstan-metal")
    .description("Programs for bare metal.")
    .version(manifest.version)
    .addCommand(serveCommand())
    .addCommand(agentCommand());
