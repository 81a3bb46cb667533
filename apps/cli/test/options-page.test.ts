import { join } from "node:path";
import type { OptionDeclarationV1 } from "@capstan/contract/v1";
import { expect, it } from "vitest";
import { alignedTables } from "../src/new/aligned-tables.ts";
import { objectStoreNames } from "../src/modules/object-stores.ts";
import { providerNames } from "../src/modules/providers.ts";
import { declaredOptions } from "../src/modules/declared-options.ts";
import { type OptionText, optionTexts } from "../src/options/option-texts.ts";
import { createProgram } from "../src/program.ts";

const page = join(import.meta.dirname, "../../../docs/options.md");

const cell = (text: string | undefined): string => (text ?? "").replaceAll("|", "\\|");

const row = ({ bounds, choices, default: standard, help, name, type }: OptionText): string => {
  const values = choices?.map((each) => `\`${each}\``).join(", ") ?? bounds;
  return `| \`${name}\` | ${type} | ${cell(values)} | ${cell(standard)} | ${cell(help)} |`;
};

const table = (texts: readonly OptionText[]): readonly string[] =>
  texts.length === 0
    ? ["None."]
    : ["| option | type | values | default | what it does |", "| --- | --- | --- | --- | --- |", ...texts.map(row)];

const section = (declaration: OptionDeclarationV1): string => {
  const only = Object.entries(declaration.codeOnly ?? {});
  return [
    `## ${declaration.of}`,
    "",
    ...table(optionTexts(declaration)),
    "",
    ...(only.length === 0 ? [] : ["Only in code:", "", ...only.map(([name, why]) => `- \`${name}\`: ${why}`), ""]),
  ].join("\n");
};

const declared = await declaredOptions({ providers: providerNames, objectStores: objectStoreNames });

it("docs/options.md has every option that providers and object stores declare", async () => {
  const introduction = `# Options

Set options with \`--set-option\` of \`capstan manager\`, \`up\`, \`plan\` and \`install\`, or with \`setOption\` in the file of
\`--config\`. \`capstan help options\` prints the same list. \`install --image\` passes options on to its managers. Write a
duration as \`90s\` or \`1h30m\`, and a list with commas or by repeating the option; if values contain commas, only by
repeating it. Third-party providers declare their options with \`withOptions\` of \`@capstan/contract/v1\`. A test compares
this page with the program; \`npm test -- options-page -u\` updates it.
`;
  const text = alignedTables([introduction, ...declared.map(section)].join("\n"));
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(page);
});

it("every provider and object store declares its options", () => {
  expect(declared.map(({ of }) => of)).toEqual([
    ...providerNames,
    ...objectStoreNames.map((name) => `object-store-${name}`),
  ]);
});

it.each([["options"], ["help", "options"]])("capstan %s lists every option", async (...words) => {
  const texts: string[] = [];
  await createProgram({ write: (text) => void texts.push(text) }).run(words);
  for (const { name, type } of declared.flatMap(optionTexts)) expect(texts.join("")).toContain(`${name}=<${type}>`);
});

it.each(["manager", "up", "install", "plan"])("the help of capstan %s names every option", async (command) => {
  const texts: string[] = [];
  await createProgram({ write: (text) => void texts.push(text) }).run([command, "--help"]);
  for (const { of, options } of declared.filter((each) => Object.keys(each.options).length > 0)) {
    expect(texts.join("").replaceAll(/\s+/g, " ")).toContain(` ${of}: ${Object.keys(options).join(", ")} `);
  }
});
