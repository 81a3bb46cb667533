import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { liveThrough, startOn, type CloudName } from "./published-life.ts";

const root = join(import.meta.dirname, "../../..");
const text = (file: string): string => readFileSync(join(root, file), "utf8");

/** All that are to run. */
const files = globSync("examples/**/*.yaml", { cwd: root })
  .toSorted()
  .filter((file) => !text(file).includes("# It never runs."));

const cloudsOf = (file: string): string => /--simulate (\S+)/.exec(text(file))?.[1] ?? "";

/** USD a month, as the comment at its top says. */
const cost = (file: string): number => Number(/^# Costs: +(\d+) USD a month/m.exec(text(file))?.[1] ?? Number.NaN);

const priced = files.filter((file) => !Number.isNaN(cost(file)));

it("says what it costs wherever a cloud has a price", () => {
  expect(files.filter((file) => !priced.includes(file))).toEqual(
    files.filter((file) => file.startsWith("examples/metal/")),
  );
});

it.each(priced)("%s costs what plan adds up", async (file) => {
  let said = "";
  const program = createProgram({ write: (words) => void (said += words) });
  const folder = join(tmpdir(), "capstan-published-none");
  const path = join(root, file);
  await program.run(["plan", "--data-dir", folder, "--simulate", cloudsOf(file), "-f", path, "-o", "json"]);
  const { monthly } = JSON.parse(said) as { readonly monthly: { readonly USD: number } };
  expect(Math.round(monthly.USD)).toBe(cost(file));
});

describe.each(files)("%s", (file) => {
  it("runs, is upgraded by one minor version, and is deleted", async () => {
    await using system = await startOn(cloudsOf(file).split(",") as CloudName[], text(file));
    await liveThrough(system, text(file));
  });
});
