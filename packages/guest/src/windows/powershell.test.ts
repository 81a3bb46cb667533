import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Disk } from "../boot/disk.ts";
import { runPowerShell } from "./powershell.ts";

const programs = { false: () => 1 };

const start = (script: string, disk = new Disk()) => {
  const clock = fakeClock();
  const ended = runPowerShell(script, { clock, disk, programs, signal: new AbortController().signal });
  let result: Awaited<typeof ended> | undefined;
  void ended.then((value) => (result = value));
  const end = async () => {
    await clock.advanceUntil(() => result !== undefined);
    return result;
  };
  return { clock, disk, end, begun: clock.now() };
};

const sentinel = "C:\\run\\cluster-api\\bootstrap-success.complete";
const loop = `powershell.exe -Command "for ($i = 0; $i -lt 60; $i++) {if (Test-Path '${sentinel}') {exit 0} else {Start-Sleep -Seconds 5}} exit -2"`;
const until = `powershell.exe -NoProfile -Command "$end = (Get-Date).AddSeconds(30); while (-not (Test-Path '${sentinel}') -and (Get-Date) -lt $end) { Start-Sleep -Seconds 5 }; if (Test-Path '${sentinel}') { exit 0 }; Write-Output 'too late'; if (Test-Path 'C:\\log.txt') { Get-Content -Tail 2 'C:\\log.txt' }; exit -2"`;

describe("PowerShell", () => {
  it("waits in loops until a file is on drive C, in any letter case", async () => {
    const { clock, disk, end, begun } = start(loop);
    await clock.advance(12_000);
    disk.write("/run/Cluster-API/bootstrap-success.complete", "success");
    expect(await end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(clock.now() - begun).toBe(15_000);
  });

  it("gives up after so many turns, or after a time, with what it printed", async () => {
    const turns = start(loop);
    expect(await turns.end()).toMatchObject({ exitCode: -2 });
    expect(turns.clock.now() - turns.begun).toBe(300_000);
    const disk = new Disk();
    disk.write("/log.txt", "one\ntwo\nthree\n");
    const timed = start(until, disk);
    expect(await timed.end()).toEqual({ exitCode: -2, stdout: "too late\ntwo\nthree\n", stderr: "" });
    expect(timed.clock.now() - timed.begun).toBe(30_000);
  });

  it.each([
    ["Write-Output hi", "hi\n"],
    ["$a = 'x'; Write-Output \"a is $a`t.\"", "a is x\t.\n"],
    ["$n = 1; $n += 2\n$n++\n$n", "4\n"],
    ["if (1 -gt 2) { 'a' } elseif ('X' -eq 'x') { 'b' } else { 'c' }", "b\n"],
    ["Set-Content -Path C:\\a.txt -Value one; Add-Content C:\\a.txt two; cat C:\\A.TXT", "one\ntwo\n"],
    ["echo success > C:\\run\\done; Get-Content /run/done; Test-Path C:\\run", "success\nTrue\n"],
    ["New-Item -ItemType Directory -Force -Path C:\\x | Out-Null; Test-Path C:\\y", "False\n"],
    ["$a = (echo 'abcdef') -join [char]10; $a.Substring([Math]::Max(0, $a.Length - 4))", "cdef\n"],
    ["# nothing\n'it''s' + '!' # but this", "it's!\n"],
  ])("runs %j", async (script, stdout) => {
    expect(await start(script).end()).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  it.each([
    ["Get-Content C:\\none", 1, "Cannot find path 'C:\\none'"],
    ["Frobnicate-It", 1, "is not recognized"],
    ["if (", 1, "missing"],
    ["$x.Frob()", 1, "not modelled"],
    ["exit 3", 3, ""],
    ["false", 1, ""],
  ])("ends %j with %d", async (script, exitCode, words) => {
    expect(await start(script).end()).toMatchObject({ exitCode, stderr: expect.stringContaining(words) as string });
  });
});

describe("a script of PowerShell that takes long", () => {
  it.each([
    ["a loop", "while ($true) { }", "more than 100000 commands"],
    ["a loop that counts", "for ($i = 0; $true; $i++) { $a = $i }", "more than 100000 commands"],
    ["a text that doubles", "$a = 'xx'; while ($true) { $a = $a + $a }", "more than 1048576 characters"],
    ["a text that doubles in quotes", "$a = 'xx'; while ($true) { $a = \"$a$a\" }", "more than 1048576 characters"],
    ["a pattern", `$a = '${"a".repeat(20_000)}'; if ($a -match '(a+)+b') { }`, "is not modelled"],
  ])("is ended: %s", async (_, script, message) => {
    expect(await start(script).end()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(message) as string,
    });
  });

  it("unless it is a pattern that others take long for", async () => {
    const { end } = start(`if ('${"a".repeat(5000)}' -match '(a+)+$b') { 'yes' } else { 'no' }; 'ABC' -match '^a.c$'`);
    expect(await end()).toMatchObject({ exitCode: 0, stdout: "no\nTrue\n" });
  });
});
