import { homedir } from "node:os";
import { join } from "node:path";

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The files that `$KUBECONFIG` names: none where it is not set, or set to nothing. */
export const namedKubeconfigs = ({ KUBECONFIG = "" }: Environment): readonly string[] =>
  KUBECONFIG.split(":").filter((file) => file !== "");

/** The files that kubectl reads, there or not: those of `$KUBECONFIG`, else that of the home folder. The first is written to. */
export const usualKubeconfigs = (environment: Environment): readonly [string, ...string[]] => {
  const [first = join(homedir(), ".kube", "config"), ...others] = namedKubeconfigs(environment);
  return [first, ...others];
};
