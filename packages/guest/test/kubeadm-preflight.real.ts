import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelPreflight } from "./preflight/model-kubeadm.ts";
import { buildTracer, missing, realPreflight } from "./preflight/real-kubeadm.ts";
import { scenarios } from "./preflight/scenarios.ts";

const kubeadm = join(process.env["KUBEBUILDER_ASSETS"] ?? "", "kubeadm");
const reason = missing(kubeadm);
if (reason !== undefined) process.stdout.write(`the preflight of the real kubeadm is skipped: ${reason}\n`);

const version =
  reason === undefined ? execFileSync(kubeadm, ["version", "--output=short"], { encoding: "utf8" }).trim() : "v1.36.0";

/** What depends on the kernel of the host, and what kubeadm logs beside what it prints. */
const isLeftOut = (line: string): boolean =>
  line.trim() === "" ||
  /SystemVerification|^[WIE]\d{4} |^\[preflight\] The system verification failed/.test(line) ||
  line.startsWith("\u001B");

/** Findings in their order; what else is printed to either output by itself. */
const compared = (lines: readonly string[]): readonly string[] => {
  const kept = lines.filter((line) => !isLeftOut(line));
  return [...kept.filter((line) => line.startsWith("\t")), ...kept.filter((line) => !line.startsWith("\t")).toSorted()];
};

describe.skipIf(reason !== undefined)(`preflight as the real kubeadm ${version} does it`, () => {
  let folder: string;
  let tracer: string | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "capstan-tracer-"));
    tracer = buildTracer(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.for(Object.entries(scenarios(Number(version.split(".")[1]))))("%s", async ([, given], { skip }) => {
    const isLess = given.memoryMB !== undefined;
    skip(isLess && tracer === undefined, "how much memory there is can be changed with cc and on x86-64 only");
    const args = [
      ...(given.args ?? []),
      ...(given.args?.join().includes("all") === true ? [] : ["--ignore-preflight-errors=SystemVerification"]),
    ];
    const scenario = { kubelet: version, ...given, args };
    const real = await realPreflight(scenario, { kubeadm, tracer });
    expect(compared(await modelPreflight(scenario, version))).toEqual(compared(real));
  });
});
