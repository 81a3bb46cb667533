import { bootstrapSentinel } from "@capstan/contract";
import type { MachineCommand } from "../cloud/run-command.ts";

/** First word of what the check prints when bootstrapping has not succeeded, with its version. */
export const checkName = "capstan-bootstrap-check/v1";

/** The agent keeps the last 4096 bytes of an output: the first line has to be among them. */
const logBytes = 3800;
const pauseSeconds = 5;

/** Written by cloud-init when its last stage is over, after the commands of the bootstrap data. */
const bootFinished = "/var/lib/cloud/instance/boot-finished";
const cloudInitLog = "/var/log/cloud-init-output.log";

/**
 * Returns the seconds that the check inside the machine waits: fewer than `waitMs`, so that it ends before the caller stops waiting for it.
 */
const secondsOf = (waitMs: number): number => Math.max(1, Math.floor((waitMs - Math.min(60_000, waitMs / 5)) / 1000));

const linuxLog = `{ tail -c ${logBytes} ${cloudInitLog} || journalctl --no-pager --lines 40 | tail -c ${logBytes}; }`;

/**
 * Success is the sentinel of the bootstrap provider, nothing else. When cloud-init has ended without it, there is nothing left to wait
 * for; where there is no cloud-init, the journal is shown in place of its log.
 */
const linuxCommand = (waitMs: number): string =>
  [
    `timeout ${secondsOf(waitMs)} sh -c 'until test -e ${bootstrapSentinel} || test -e ${bootFinished}; do sleep ${pauseSeconds}; done'`,
    `test -e ${bootstrapSentinel} || { ${[
      `test -e ${bootFinished} && echo '${checkName} failed' || echo '${checkName} timed-out'`,
      linuxLog,
      "false",
    ].join("; ")}; }`,
  ].join("; ");

/** PowerShell takes both slashes: with these the path is that of the contract, on the system's drive. */
const windowsPath = (path: string): string => `C:${path}`;
const cloudbaseLog = "C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\log\\cloudbase-init.log";

/** Characters of it, some of which are of more than one byte. */
const windowsLogLength = 3000;
/** The end of the log, without quotes for the command line's sake. */
const windowsLog = `if (Test-Path '${cloudbaseLog}') { $log = (Get-Content -Tail 40 '${cloudbaseLog}') -join [char]10; $log.Substring([Math]::Max(0, $log.Length - ${windowsLogLength})) }`;

/**
 * PowerShell condition: cloudbase-init is over if its last lines include the one that it writes after its last plugin, unless it restarts
 * the machine.
 */
const windowsOver = `(Test-Path '${cloudbaseLog}') -and ((Get-Content -Tail 40 '${cloudbaseLog}') -match 'Plugins execution done')`;

/** Between double quotes for the command line, so that there are none inside. */
const windowsCommand = (waitMs: number): string => {
  const sentinel = `'${windowsPath(bootstrapSentinel)}'`;
  const script = [
    `$end = (Get-Date).AddSeconds(${secondsOf(waitMs)})`,
    "$over = $false",
    `while (-not (Test-Path ${sentinel}) -and -not $over -and (Get-Date) -lt $end) { Start-Sleep -Seconds ${pauseSeconds}; $over = ${windowsOver} }`,
    `if (Test-Path ${sentinel}) { exit 0 }`,
    `if ($over) { Write-Output '${checkName} failed' } else { Write-Output '${checkName} timed-out' }`,
    windowsLog,
    "exit -2",
  ].join("; ");
  return `powershell.exe -NoProfile -Command "${script}"`;
};

/** Returns the command that the bootstrap extension runs inside the machine: exit 0 is success, and anything else failure. */
export const checkCommand = (os: "Linux" | "Windows", waitMs: number): string =>
  os === "Windows" ? windowsCommand(waitMs) : linuxCommand(waitMs);

/**
 * Returns the command of a look into the machine: it prints whether bootstrapping has succeeded, failed or continues, and does not wait.
 */
export const lookCommand = (os: "Linux" | "Windows"): MachineCommand => {
  if (os === "Windows") {
    const sentinel = `'${windowsPath(bootstrapSentinel)}'`;
    const unfinished = `if (${windowsOver}) { '${checkName} failed' } else { '${checkName} running' }`;
    const verdict = `if (Test-Path ${sentinel}) { '${checkName} succeeded' } else { ${unfinished} }`;
    return { os, lines: [verdict, windowsLog] };
  }
  const failed = `test -e ${bootFinished} && echo '${checkName} failed' || echo '${checkName} running'`;
  return {
    os,
    lines: [`test -e ${bootstrapSentinel} && echo '${checkName} succeeded' || { ${failed}; ${linuxLog}; }`],
  };
};
