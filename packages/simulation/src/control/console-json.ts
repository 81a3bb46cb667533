import type { MachineConsole } from "../machines/machine-power.ts";

/** Lines of consoles as the control interface shows them, in the order in which they were written. */
export const consoleJson = (machines: readonly MachineConsole[]): readonly unknown[] =>
  machines
    .flatMap(({ lines, ...machine }) => lines.map((line) => ({ ...line, machine })))
    .toSorted((a, b) => a.number - b.number)
    .map(({ at, text, machine }) => ({ time: new Date(at).toISOString(), ...machine, text }));
