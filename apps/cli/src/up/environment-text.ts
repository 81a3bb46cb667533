/** Variables as a file that shells read with `set -a; . FILE`, and Node with `--env-file`. */
export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join("");
