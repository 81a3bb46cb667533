import { readFileSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second. */
const tickMs = 10;

const status = (pid: number, field: string): number => {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1] ?? 0) / 1024;
};

/** CPU time that the processes have used, user and system, in milliseconds. Linux only. */
export const cpuMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) * tickMs;
  }, 0);

/** Memory of the processes in MiB: now, and the most each has had. */
export const memoryMiB = (pids: readonly number[]): { readonly now: number; readonly peak: number } => ({
  now: Math.round(pids.reduce((sum, pid) => sum + status(pid, "VmRSS"), 0)),
  peak: Math.round(pids.reduce((sum, pid) => sum + status(pid, "VmHWM"), 0)),
});
