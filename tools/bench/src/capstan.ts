import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cli = (path: string): string => fileURLToPath(new URL(`../../../apps/cli/${path}`, import.meta.url));

/** Node's flags of the command as a program, from its first line (`#!/usr/bin/env -S node --flag ...`). */
export const commandFlags: readonly string[] = (readFileSync(cli("src/main.ts"), "utf8").split("\n")[0] ?? "")
  .split(" ")
  .filter((word) => word.startsWith("--"));

const files = {
  sources: cli("src/main.ts"),
  built: cli("dist/main.js"),
  bundle: cli("dist/bundle/capstan.mjs"),
};

/** What the command is run from: sources, what `npm run build` has made, or what `npm run bundle` has made. */
export type CapstanForm = keyof typeof files;

/** How the `capstan` command is run, with the flags that it has as a program; its own arguments follow `args`. */
export const capstan = (form: CapstanForm): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: [...commandFlags, ...(form === "sources" ? ["--conditions=@capstan/source"] : []), files[form]],
});

/** The forms that are there. */
export const capstanForms = (): readonly CapstanForm[] =>
  (Object.keys(files) as CapstanForm[]).filter((form) => existsSync(files[form]));
