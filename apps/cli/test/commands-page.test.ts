import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createProgram } from "../src/program.ts";

const page = join(import.meta.dirname, "../../../docs/commands.md");

beforeAll(() => void vi.stubEnv("XDG_DATA_HOME", "~/.local/share"));
afterAll(() => vi.unstubAllEnvs());

const helpOf = async (path: readonly string[]): Promise<string> => {
  const texts: string[] = [];
  await createProgram({ write: (text) => void texts.push(text) }).run([...path, "--help"]);
  return texts.join("").trim();
};

/** The names below `Commands:`. */
const commandsIn = (help: string): readonly string[] =>
  [...(help.split("\nCommands:\n")[1] ?? "").matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .flatMap(([, name]) => name ?? [])
    .filter((name) => name !== "help");

/** A section of every command, each followed by those of its own commands. */
const sections = async (path: readonly string[]): Promise<readonly string[]> => {
  const help = await helpOf(path);
  const parts: string[] = [];
  for (const name of commandsIn(help)) parts.push(...(await sections([...path, name])));
  return [`## ${["capstan", ...path].join(" ")}\n\n\`\`\`\n${help}\n\`\`\`\n`, ...parts];
};

it("docs/commands.md says what every command says of itself", async () => {
  const found = await sections([]);
  const introduction = `# Commands

What \`--help\` says of every command and flag. A test holds this page to the program; \`npm test -- commands-page -u\` writes it anew.
`;
  expect(found.length).toBeGreaterThan(10);
  await expect([introduction, ...found].join("\n")).toMatchFileSnapshot(page);
});
