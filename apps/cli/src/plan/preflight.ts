import type { ManifestObject } from "@capstan/apiserver";
import { CapstanError } from "@capstan/contract";
import { counted } from "../counted.ts";
import { makePlan, type PlanningOptions } from "./make-plan.ts";

/** Throws `up.not_applied` with everything that is wrong with manifests, before any of them is applied. */
export const preflight = async (manifests: readonly ManifestObject[], options: PlanningOptions): Promise<void> => {
  if (manifests.length === 0) return;
  const { problems } = await makePlan(manifests, { ...options, newOnly: true });
  if (problems.length === 0) return;
  const lines = problems.map(({ where, message }) => `${where}: ${message.replaceAll("\n", "\n  ")}`);
  throw new CapstanError({
    code: "up.not_applied",
    reason: "ManifestsWrong",
    message: [
      `nothing is applied: ${counted(problems.length, "problem")}; correct them, or apply what can be applied with --keep-going`,
      ...new Set(lines),
    ].join("\n  "),
    retry: { kind: "never" },
  });
};
