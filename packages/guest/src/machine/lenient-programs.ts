import { own } from "@capstan/schema";
import { distributions } from "../rke2-k3s/distribution.ts";
import { distributionOfVariables } from "../rke2-k3s/programs.ts";
import type { UnixContext, UnixProgram, UnixPrograms } from "../unix/program.ts";
import type { InstallDistribution } from "./machine-shell.ts";

const succeed: UnixProgram = () => 0;

/** Uploads, and the install scripts of k3s and RKE2; anything else is taken as downloaded, with nothing in it. */
const curl =
  (real: UnixProgram): UnixProgram =>
  (context) => {
    const { args, disk } = context;
    const isReal = args.some(
      (word) => word === "-T" || word === "--upload-file" || distributions.some(({ installer }) => word === installer),
    );
    if (isReal) return real(context);
    const target = args[args.findIndex((word) => word === "-o" || word === "--output") + 1];
    if (args.some((word) => word === "-o" || word === "--output") && target !== undefined) disk.write(target, "");
    return 0;
  };

const scriptIn = ({ args, disk }: UnixContext): string | undefined => {
  const path = args.find((word) => !word.startsWith("-"));
  return path === undefined ? undefined : disk.text(path);
};

/** A script that is not there is that of k3s or RKE2 where the variables say so, and else taken as done. */
const shell =
  (real: UnixProgram, install: InstallDistribution): UnixProgram =>
  (context) => {
    const { args, variables } = context;
    const text = scriptIn(context);
    const isScript = args.some((word) => !word.startsWith("-")) && !args.some((word) => /^-[a-z]*[cs]/.test(word));
    if (!isScript || (text !== undefined && text !== "")) return real(context);
    const distribution = distributionOfVariables(variables);
    return distribution === undefined ? 0 : install(distribution, context);
  };

/** `systemctl`, which is held to the services of k3s and RKE2 alone. */
const systemctl =
  (real: UnixProgram): UnixProgram =>
  (context) =>
    context.args.some((word) => distributions.some(({ name }) => new RegExp(`(?:^|/)${name}(?:[-.]|$)`).test(word)))
      ? real(context)
      : 0;

/** Programs as lenient machines have them: nothing is installed, downloaded or started but Kubernetes. */
export const lenientPrograms = (programs: UnixPrograms, install: InstallDistribution): UnixPrograms => {
  const real = (name: string): UnixProgram => own(programs, name) ?? succeed;
  return {
    ...programs,
    curl: curl(real("curl")),
    wget: succeed,
    tar: succeed,
    sh: shell(real("sh"), install),
    bash: shell(real("bash"), install),
    systemctl: systemctl(real("systemctl")),
  };
};
