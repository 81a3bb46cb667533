import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoreErrorCode } from "./errors.ts";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && path !== "errors.ts")
  .map((path) => readFileSync(join(import.meta.dirname, path), "utf8"))
  .join("\n");

describe("error codes", () => {
  it.each(Object.entries(CoreErrorCode))("%s is thrown somewhere and documented", (name, code) => {
    expect(sources).toContain(`code: CoreErrorCode.${name}`);
    expect(readme).toContain(`\`${code}\``);
  });

  it("documents no code that does not exist", () => {
    const documented = [...readme.matchAll(/`(core\.[a-z_]+)`/g)].map(([, code]) => code);
    expect(new Set(documented)).toEqual(new Set(Object.values(CoreErrorCode)));
  });
});
