import { isCapstanError } from "@capstan/contract";
import type { ReportChannel } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { CheckAnswer } from "./check-answer.ts";
import { lookAnswer } from "./check-answer.ts";
import { lookCommand } from "./check-command.ts";
import type { Reading } from "./extension-check.ts";
import { osOf, vmOf } from "./extension-check.ts";

/** The name by which users choose it. */
const name = "run-command";

/** Between two looks: a machine runs one command at a time, and its owner may have some of his own. */
const pauseMs = 30_000;
/** No command continues for longer. */
const longestMs = 90 * 60_000;

interface Look {
  readonly startedAt: number;
  /** Handle for fetching the output; `undefined` once the command is over. */
  readonly handle: string | undefined;
}

/** Kind of machines that the check runs commands in. */
export interface CommandTarget<O extends KubeObject> {
  /** Returns whether commands are taken. */
  readonly isOpen: (reading: Reading<O>) => boolean;
  readonly osOf: (reading: Reading<O>) => Promise<"Linux" | "Windows"> | "Linux" | "Windows";
}

/** AzureMachines. */
export const machineTarget: CommandTarget<AzureMachine> = {
  isOpen: ({ object }) => object.spec?.disableExtensionOperations !== true,
  osOf,
};

/**
 * Looks into machines from time to time by a run command, which every cloud of Azure has, and leaves nothing in them. What continues is
 * known to this process only: another one looks again.
 */
class RunCommandCheck<O extends KubeObject> {
  /** By ID of the virtual machine. */
  readonly #looks = new Map<string, Look>();
  readonly #osOf: CommandTarget<O>["osOf"];

  constructor({ osOf: of }: CommandTarget<O>) {
    this.#osOf = of;
  }

  async read(reading: Reading<O>): Promise<CheckAnswer> {
    const id = reading.handle.toLowerCase();
    const look = this.#looks.get(id);
    const answer = look?.handle === undefined ? await this.#begin(reading, look) : await this.#ask(reading, look);
    if (answer.state !== "running") this.#looks.delete(id);
    return answer;
  }

  async #begin(reading: Reading<O>, last: Look | undefined): Promise<CheckAnswer> {
    const { api, call, clock } = reading;
    const now = clock.now();
    if (last !== undefined && now - last.startedAt < pauseMs) return { state: "running" };
    this.#forgetOld(now);
    try {
      const handle = await api.runCommand(vmOf(reading), lookCommand(await this.#osOf(reading)), call);
      this.#looks.set(reading.handle.toLowerCase(), { startedAt: now, handle });
    } catch (error) {
      // Another user's command, or that of the process before, continues.
      if (!isCapstanError(error, "azure.busy")) throw error;
    }
    return { state: "running" };
  }

  async #ask(reading: Reading<O>, look: Look): Promise<CheckAnswer> {
    const output = await reading.api.commandOutput(look.handle ?? "", reading.call);
    if (output.state === "running") return { state: "running" };
    this.#looks.set(reading.handle.toLowerCase(), { ...look, handle: undefined });
    return output.state === "ended" ? lookAnswer(output.stdout) : { state: "running" };
  }

  /** Machines go without their last look being asked for. */
  #forgetOld(now: number): void {
    for (const [id, { startedAt }] of this.#looks) if (now - startedAt > longestMs) this.#looks.delete(id);
  }
}

/** The check by run commands, chosen by its name. */
export const runCommandCheck = <O extends KubeObject>(target: CommandTarget<O>): ReportChannel<Reading<O>> => {
  const check = new RunCommandCheck(target);
  return {
    name,
    isAvailable: (reading) => reading.checker === name && target.isOpen(reading),
    read: (reading) => check.read(reading),
  };
};
