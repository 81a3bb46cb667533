import { kubeadmError, object } from "./configuration.ts";

const flag = "--ignore-preflight-errors";

/** The value of a flag, as `--name=value` or `--name value`; each time that it is given. */
export const flagValues = (args: readonly string[], name: string): readonly string[] =>
  args.flatMap((argument, index) => {
    if (argument === name) return args[index + 1] ?? [];
    return argument.startsWith(`${name}=`) ? argument.slice(name.length + 1) : [];
  });

/**
 * Names of the checks whose errors are to be warnings, in lower case: of the command line and of the configuration's
 * `nodeRegistration.ignorePreflightErrors`. Throws `guest.kubeadm_failed` for `all` beside others.
 */
export const ignoredErrors = (args: readonly string[], nodeRegistration: unknown): ReadonlySet<string> => {
  const configured = object(nodeRegistration)["ignorePreflightErrors"];
  const names = [
    ...(Array.isArray(configured) ? configured.map(String) : []),
    ...flagValues(args, flag).flatMap((value) => value.split(",")),
  ];
  const ignored = new Set(names.map((name) => name.toLowerCase()).filter((name) => name !== ""));
  if (ignored.has("all") && ignored.size > 1) {
    throw kubeadmError(
      `ignore-preflight-errors: Invalid value: "${[...ignored].toSorted().join(",")}": don't specify individual checks if 'all' is used`,
      { phase: undefined },
    );
  }
  return ignored;
};
