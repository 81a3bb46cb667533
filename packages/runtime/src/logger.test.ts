import { Secret } from "@capstan/contract";
import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

const written = (format: "json" | "text", level: "debug" | "info" = "info") => {
  const lines: string[] = [];
  return { lines, log: createLogger({ format, level, write: (line) => lines.push(line) }) };
};

it("writes one JSON object per line, with the fields of its parents", () => {
  const { lines, log } = written("json");
  log.debug("hidden");
  log.child({ controller: "machine" }).info("created", { name: "m" });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    controller: "machine",
    name: "m",
    msg: "created",
  });
});

it("writes errors with stack and cause", () => {
  const { lines, log } = written("json");
  log.error("failed", { error: new Error("outer", { cause: new Error("inner") }) });
  const { err } = JSON.parse(lines[0] ?? "") as { err: { message: string; stack: string; cause: { message: string } } };
  expect(err.message).toBe("outer");
  expect(err.stack).toContain("logger.test.ts");
  expect(err.cause.message).toBe("inner");
});

it("never writes secrets", () => {
  const { lines, log } = written("json", "debug");
  log.debug("call", { token: "t0p", nested: { password: "t0p", userData: "t0p" }, wrapped: new Secret("t0p") });
  log.child({ authorization: "Bearer t0p" }).warn("again");
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain("t0p");
});

it("writes text for people", () => {
  const { lines, log } = written("text");
  log.warn("it is slow", { seconds: 3, machine: "m", error: new Error("why") });
  expect(lines[0]).toMatch(/^\S+Z WARN {2}it is slow seconds=3 machine=m\nError: why\n {4}at /);
});

it("writes nothing that a terminal obeys, and no second line, for what others say", () => {
  const { lines, log } = written("text");
  const said = "gone\u001B]52;c;aGk=\u0007\n2030 ERROR forged\u009B2J";
  log.warn(said, { message: said, error: new Error(said) });
  expect(lines.join("")).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(lines[0]?.split("\n")[0]).toContain("gone 2030 ERROR forged");
});
