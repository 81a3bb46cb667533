import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { serveCommand } from "./serve/serve-command.ts";

/** The command `capstan-metal`. */
export const createProgram = (): Command =>
  new Command("capstan-metal")
    .description("Programs for bare metal.")
    .version(manifest.version)
    .addCommand(serveCommand());
