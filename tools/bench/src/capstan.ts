import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cli = (path: string): string => fileURLToPath(new URL(`../../../apps/cli/${path}`, import.meta.url));

/** Command line of the program, from its first line: `#!/usr/bin/env -S VARIABLE=value node --flag ...`. */
const firstLine = (readFileSync(cli("bin/capstan.js"), "utf8").split("\n")[0] ?? "").split(" ");

/** Node's flags of the command as a program. */
export const commandFlags: readonly string[] = firstLine.filter((word) => word.startsWith("--"));

/** This process's environment, with the variables of the command as a program. */
export const commandEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  ...Object.fromEntries(firstLine.flatMap((word) => (/^\w+=/.test(word) ? [word.split("=", 2)] : []))),
};

const files = {
  sources: cli("src/main.ts"),
  built: cli("dist/main.js"),
  bundle: cli("dist/bundle/capstan.mjs"),
};

/** Form that the command is run from: sources, the output of `npm run build`, or that of `npm run bundle`. */
export type CapstanForm = keyof typeof files;

/** Command line and environment of a program. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const makes: Readonly<Record<CapstanForm, string>> = {
  sources: "",
  built: "npm run build",
  bundle: "npm run build and npm run bundle",
};

/** Throws if a form has not been made yet, and says how to make it. */
export const requireForm = (form: CapstanForm, file = files[form]): void => {
  if (!existsSync(file)) throw new Error(`--built: ${file} does not exist; run ${makes[form]} first`);
};

/**
 * Returns how to run the `capstan` command, with the flags and variables that it has as a program; its own arguments
 * follow `args`. Throws if the form has not been made.
 */
export const capstan = (form: CapstanForm): Program => {
  requireForm(form);
  return {
    command: process.execPath,
    env: commandEnvironment,
    args: [...commandFlags, ...(form === "sources" ? ["--conditions=@capstan/source"] : []), files[form]],
  };
};

/** The forms that are there. */
export const capstanForms = (): readonly CapstanForm[] =>
  (Object.keys(files) as CapstanForm[]).filter((form) => existsSync(files[form]));
