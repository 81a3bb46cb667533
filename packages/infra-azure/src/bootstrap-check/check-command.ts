import { bootstrapSentinel } from "@capstan/contract";

/** First word of what the check prints when bootstrapping has not succeeded, with its version. */
export const checkName = "capstan-bootstrap-check/v1";

/** The agent keeps the last 4096 bytes of an output: the first line has to be among them. */
const logBytes = 3800;
const pauseSeconds = 5;

/** Written by cloud-init when its last stage is over, after the commands of the bootstrap data. */
const bootFinished = "/var/lib/cloud/instance/boot-finished";
const cloudInitLog = "/var/log/cloud-init-output.log";

/** How long the check inside the machine waits: it is to be over when whoever waits for its answer stops. */
const secondsOf = (waitMs: number): number => Math.max(1, Math.floor((waitMs - Math.min(60_000, waitMs / 5)) / 1000));

/**
 * Success is the sentinel of the bootstrap provider, nothing else. When cloud-init has ended without it, there is nothing left to wait
 * for; where there is no cloud-init, the journal is shown in place of its log.
 */
const linuxCommand = (waitMs: number): string =>
  [
    `timeout ${secondsOf(waitMs)} sh -c 'until test -e ${bootstrapSentinel} || test -e ${bootFinished}; do sleep ${pauseSeconds}; done'`,
    `test -e ${bootstrapSentinel} || { ${[
      `test -e ${bootFinished} && echo '${checkName} failed' || echo '${checkName} timed-out'`,
      `tail -c ${logBytes} ${cloudInitLog} || journalctl --no-pager --lines 40`,
      "false",
    ].join("; ")}; }`,
  ].join("; ");

const windowsPath = (path: string): string => `C:${path.replaceAll("/", "\\")}`;
const cloudbaseLog = "C:\\Program Files\\Cloudbase Solutions\\Cloudbase-Init\\log\\cloudbase-init.log";

/** Between double quotes for the command line, so that there are none inside. */
const windowsCommand = (waitMs: number): string => {
  const sentinel = `'${windowsPath(bootstrapSentinel)}'`;
  const script = [
    `$end = (Get-Date).AddSeconds(${secondsOf(waitMs)})`,
    `while (-not (Test-Path ${sentinel}) -and (Get-Date) -lt $end) { Start-Sleep -Seconds ${pauseSeconds} }`,
    `if (Test-Path ${sentinel}) { exit 0 }`,
    `Write-Output '${checkName} timed-out'`,
    `if (Test-Path '${cloudbaseLog}') { Get-Content -Tail 40 '${cloudbaseLog}' }`,
    "exit -2",
  ].join("; ");
  return `powershell.exe -NoProfile -Command "${script}"`;
};

/** What the bootstrap extension runs inside the machine: exit 0 is success, and anything else failure. */
export const checkCommand = (os: "Linux" | "Windows", waitMs: number): string =>
  os === "Windows" ? windowsCommand(waitMs) : linuxCommand(waitMs);
