import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { agentCommand } from "./agent/agent-command.ts";
import { rolesCommand } from "./roles/roles-command.ts";
import { serveCommand } from "./serve/serve-command.ts";

/** The command `capstan-metal`. `write` receives what commands print; default: standard output. */
export const createProgram = ({
  write = (text) => void process.stdout.write(text),
}: { readonly write?: (text: string) => void } = {}): Command =>
  new Command("capstan-metal")
    .description("Programs for bare metal.")
    .version(manifest.version)
    .addCommand(serveCommand())
    .addCommand(rolesCommand(write))
    .addCommand(agentCommand());
