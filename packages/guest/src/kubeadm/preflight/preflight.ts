import { kubeadmError } from "../configuration.ts";
import { reported, type Check } from "./check.ts";
import { initChecks, joinChecks } from "./check-lists.ts";
import type { ControlPlaneSubject, JoinSubject, PreflightFacts } from "./facts.ts";
import { runtimeProblem } from "./runtime-problem.ts";
import { minorOf } from "./version.ts";

export interface Preflight {
  readonly facts: PreflightFacts;
  /** Names of checks in lower case whose errors are warnings, or `all`. */
  readonly ignored: ReadonlySet<string>;
  readonly print: (text: string) => void;
}

const advice =
  "[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`";

/** Until v1.33 the errors are part of kubeadm's own, since then they are printed before it. */
const end = ({ facts, print }: Preflight, errors: readonly string[]): never => {
  const text = ["[preflight] Some fatal errors occurred:", ...errors, advice].join("\n");
  if (minorOf(facts.kubeadmVersion) < 34) throw kubeadmError(text, { phase: "preflight" });
  print(text);
  throw kubeadmError("preflight checks failed", { phase: "preflight" });
};

const run = (preflight: Preflight, checks: readonly Check[]): void => {
  const { warnings, errors } = reported(checks, preflight.ignored);
  for (const line of warnings) preflight.print(line);
  if (errors.length > 0) end(preflight, errors);
};

const pullImages = (preflight: Preflight, socket: string): void => {
  const { facts, print } = preflight;
  print("[preflight] Pulling images required for setting up a Kubernetes cluster");
  print("[preflight] This might take a minute or two, depending on the speed of your internet connection");
  print("[preflight] You can also perform this action beforehand using 'kubeadm config images pull'");
  const { unreachable } = runtimeProblem(facts, socket);
  if (unreachable === undefined) return;
  if (minorOf(facts.kubeadmVersion) >= 35) run(preflight, [{ name: "ImagePull", errors: [unreachable] }]);
  else end(preflight, [unreachable]);
};

const start = ({ facts, print }: Preflight, socket: string): void => {
  print("[preflight] Running pre-flight checks");
  const { logged } = runtimeProblem(facts, socket);
  if (logged !== undefined) print(logged);
};

/** The checks of `kubeadm init`. Throws `guest.kubeadm_failed` for those that fail. */
export const preflightInit = (preflight: Preflight, subject: ControlPlaneSubject): void => {
  start(preflight, subject.socket);
  run(preflight, initChecks(preflight.facts, subject, { isFurther: false }));
  pullImages(preflight, subject.socket);
};

/** The checks of `kubeadm join` before it connects. Throws `guest.kubeadm_failed` for those that fail. */
export const preflightJoin = (preflight: Preflight, subject: JoinSubject): void => {
  start(preflight, subject.socket);
  run(preflight, joinChecks(preflight.facts, subject));
};

/** Those of a further control plane once it knows its cluster. Throws `guest.kubeadm_failed` for those that fail. */
export const preflightControlPlane = (preflight: Preflight, subject: ControlPlaneSubject): void => {
  preflight.print("[preflight] Running pre-flight checks before initializing the new control plane instance");
  run(preflight, initChecks(preflight.facts, subject, { isFurther: true }));
  pullImages(preflight, subject.socket);
};
