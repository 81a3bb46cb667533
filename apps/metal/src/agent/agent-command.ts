import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import {
  agentConfigPath,
  dummyPlugin,
  HostAgent,
  nodeSystem,
  programOf,
  programPlugin,
  readAgentConfig,
} from "@capstan/infra-metal/elemental-agent";
import { createLogger, cryptoRandom, systemClock } from "@capstan/runtime";
import { Command } from "commander";
import { interruption } from "../interruption.ts";

const steps = {
  register: "make this host known to the registration of its configuration",
  install: "have the operating system installed",
  run: "do what is to be done, until the host has to reboot",
  reset: "take everything back, so that the host is nobody's",
} as const;

interface Flags {
  readonly config: string;
  readonly dummyPlugin?: boolean;
}

const runStep = async (step: keyof typeof steps, { config, dummyPlugin: isDummy = false }: Flags): Promise<void> => {
  const signal = interruption();
  const log = createLogger({});
  const system = nodeSystem({ clock: systemClock });
  const { agent } = readAgentConfig(await readFile(config, "utf8"));
  const plugin = isDummy
    ? dummyPlugin({ files: system.files, hostname: async () => hostname() })
    : programPlugin(programOf(agent.osPlugin), { system, signal });
  const host = new HostAgent({
    system,
    plugin,
    configPath: config,
    clock: systemClock,
    random: cryptoRandom,
    log,
    signal,
  });
  log.info("the agent has ended", { step, outcome: await host[step]() });
};

/** `capstan-metal agent`: the agent of a host of Elemental. */
export const agentCommand = (): Command => {
  const command = new Command("agent").description("The agent of a host that registers by itself, as in Elemental.");
  for (const [step, description] of Object.entries(steps) as [keyof typeof steps, string][]) {
    command.addCommand(
      new Command(step)
        .description(description)
        .option("--config <file>", "configuration of the agent", agentConfigPath)
        .option("--dummy-plugin", "run no OS plugin; write what it is asked into files")
        .action((flags: Flags) => runStep(step, flags)),
    );
  }
  return command;
};
