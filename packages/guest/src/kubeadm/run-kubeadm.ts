import { isCapstanError } from "@capstan/contract";
import { own } from "@capstan/schema";
import type { MachineContext } from "../node/machine-context.ts";
import { flagValues } from "./ignored-errors.ts";
import { kubeadmInit } from "./init.ts";
import { kubeadmJoin } from "./join.ts";
import type { KubeadmCall } from "./kubeadm-call.ts";
import { kubeadmReset } from "./reset.ts";
import { minorOf } from "./preflight/version.ts";

const commands: Readonly<Record<string, (machine: MachineContext, call: KubeadmCall) => Promise<void>>> = {
  init: kubeadmInit,
  join: kubeadmJoin,
  reset: kubeadmReset,
};

const trace = "To see the stack trace of this error execute with --v=5 or higher";

/** An error as kubeadm prints it last. */
const said = (machine: MachineContext, error: unknown): string => {
  const { message } = error as Error;
  if (!isCapstanError(error) || !("phase" in error.details)) return `error execution phase: ${message}`;
  const { phase } = error.details;
  const text = phase === undefined ? message : `error execution phase ${String(phase)}: ${message}`;
  const begins = minorOf(machine.software.programs.get("kubeadm") ?? "") >= 34 ? "error: " : "";
  return `${begins}${text}\n${trace}`;
};

/** Runs kubeadm on a machine and returns its exit status. What it takes is virtual time. */
export const runKubeadm = async (
  machine: MachineContext,
  args: readonly string[],
  { kubeadmMs }: { readonly kubeadmMs: number },
): Promise<number> => {
  const { clock, console: output, lenient, signal, software } = machine;
  const [name = "", subcommand, phase] = args;
  if (!lenient && name === "version") {
    output.print("kubeadm", software.programs.get("kubeadm") ?? "");
    return 0;
  }
  const run = own(commands, name);
  const onlyChecks = !lenient && subcommand === "phase" && phase === "preflight";
  if (run === undefined || (!lenient && subcommand === "phase" && !onlyChecks)) {
    const what = args.filter((argument) => !argument.startsWith("-")).join(" ");
    output.print("kubeadm", lenient ? `${name}: not modelled, taken as success` : `${what}: not modelled`);
    return lenient ? 0 : 1;
  }
  await clock.sleep(kubeadmMs, { signal });
  try {
    await run(machine, { path: flagValues(args, "--config").at(-1) ?? "", args, onlyChecks });
    return 0;
  } catch (error) {
    signal.throwIfAborted();
    output.print("kubeadm", said(machine, error));
    return 1;
  }
};
