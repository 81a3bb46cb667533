/** Warnings and errors of one of kubeadm's checks. */
export interface Finding {
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
}

/** One of kubeadm's checks, already done. */
export interface Check extends Finding {
  /** For `ignorePreflightErrors`. */
  readonly name: string;
}

export const check = (name: string, finding: Finding = {}): Check => ({ name, ...finding });

/** A check that fails with `message` unless `isFine`. */
export const expecting = (name: string, isFine: boolean, message: string): Check =>
  check(name, isFine ? {} : { errors: [message] });

/** Returns the lines that kubeadm prints about its checks, in its order; ignored errors become warnings. */
export const reported = (
  checks: readonly Check[],
  ignored: ReadonlySet<string>,
): { readonly warnings: readonly string[]; readonly errors: readonly string[] } => {
  const warnings: string[] = [];
  const errors: string[] = [];
  for (const { name, warnings: given = [], errors: found = [] } of checks) {
    const isIgnored = ignored.has("all") || ignored.has(name.toLowerCase());
    for (const text of [...given, ...(isIgnored ? found : [])]) warnings.push(`\t[WARNING ${name}]: ${text}`);
    if (!isIgnored) for (const text of found) errors.push(`\t[ERROR ${name}]: ${text}`);
  }
  return { warnings, errors };
};
