import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-agent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("capstan-metal agent", () => {
  it.each([
    ["{}", "registration.uri is no URL"],
    ["registration: {uri: 'http://api.example/r', token: t}", "registration.uri is plain HTTP; use HTTPS, or set"],
    ["registration: {uri: 'https://api.example/r'}", "registration.token is missing"],
  ])("names what its configuration lacks: %s", async (config, said) => {
    const file = join(folder, "config.yaml");
    writeFileSync(file, config);
    const ended = createProgram().parseAsync(["agent", "register", "--config", file, "--dummy-plugin"], {
      from: "user",
    });
    await expect(ended).rejects.toThrow(said);
  });
});
