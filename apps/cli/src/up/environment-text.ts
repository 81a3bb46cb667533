/** Variables as the text of a file: JSON where its name ends so, else what shells read with `set -a; . FILE`, and Node with `--env-file`. */
export const environmentText = (variables: Readonly<Record<string, string>>, file: string): string =>
  file.endsWith(".json")
    ? `${JSON.stringify(variables, undefined, 2)}\n`
    : Object.entries(variables)
        .map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`)
        .join("");
