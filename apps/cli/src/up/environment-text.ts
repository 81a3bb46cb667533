/** Variables as the text of a file: what shells read with `set -a; . FILE`, and Node with `--env-file`, where its name ends in `.env` or `.sh`; else JSON. */
export const environmentText = (variables: Readonly<Record<string, string>>, file: string): string =>
  /\.(?:env|sh)$/.test(file)
    ? Object.entries(variables)
        .map(([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`)
        .join("")
    : `${JSON.stringify(variables, undefined, 2)}\n`;
